"""The engine that `bot88 new-engine` writes, and how engines are named on the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.lab.new_engine import class_name, write_engine
from bot.lab.players import parse_player, parse_players
from bot.offline.options import OfflineOptions, offline_settings, opponent_spec
from tests.helpers.python_engines import talking


def test_the_new_engine_passes_its_own_tests_and_plays(tmp_path: Path) -> None:
    tests = write_engine(tmp_path / "deep_blue.py")
    command = [sys.executable, "-m", "unittest", tests.stem]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with talking(tmp_path / "deep_blue.py") as adapter:
        adapter.ask("uciok", "uci")
        assert adapter.lines[0] == "id name DeepBlue"
        scholars_mate = "startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"
        assert adapter.move("go wtime 60000 btime 60000", scholars_mate) == "h5f7"
        assert any(line.startswith("info depth 1 score cp 100") for line in adapter.lines)
        repeated = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
        assert adapter.move("go depth 2", repeated)
        assert adapter.errors() == []


@pytest.mark.parametrize("name", ["my-engine.py", "class.py", "my_engine.txt", "2nd.py"])
def test_a_name_that_cannot_be_imported_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="a name that Python can import"):
        write_engine(tmp_path / name)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("mine\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"test_mine\.py: exists already"):
        write_engine(tmp_path / "mine.py")
    assert not (tmp_path / "mine.py").exists()
    assert class_name(Path("my_second_engine.py")) == "MySecondEngine"


@pytest.mark.parametrize(
    ("spec", "name", "elo"),
    [
        ("mine.py", "mine", None),
        ("mine.py:Mine", "Mine", None),
        ("mine.py:Mine:1500", "Mine-1500", 1500),
        ("engine88", "engine88", None),
        ("engine88:1600", "engine88-1600", 1600),
        (f"{sys.executable} -m something", Path(sys.executable).name, None),
    ],
)
def test_engines_are_named_by_a_word(
    spec: str, name: str, elo: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    player = parse_player(spec, slots=3)
    assert (player.name, player.entry.name, player.elo, player.entry.slots) == (name, name, elo, 3)
    assert [one.name for one in parse_players([spec, spec])] == [name, f"{name}#2"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [("missing.py", "no such file"), ("no-such-program", "no such program"), ("", "no such program")],
)
def test_what_cannot_play_is_named(spec: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        parse_player(spec)


def test_offline_takes_an_engine_in_place_of_the_configured_ones(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("", encoding="utf-8")
    settings = offline_settings(OfflineOptions(engine=f"{path}:Mine:1500"), "http://127.0.0.1:1", "lip_fake")
    assert [entry.python for entry in settings.engines] == [Path(f"{path}:Mine")]
    assert [rule.level for rule in settings.rules] == [1500]


def test_opponents_by_file_and_by_elo(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("", encoding="utf-8")
    assert opponent_spec("greedy") == "greedy"
    assert opponent_spec("engine3:stockfish") == "engine3:stockfish"
    assert opponent_spec("engine88:1200").startswith("elo1200:")
    assert opponent_spec(str(path)).endswith(f"python_engine {path}")
