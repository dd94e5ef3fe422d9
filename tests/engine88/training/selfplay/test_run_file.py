"""The file of games of a run, and the lines about its progress."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine88.training.game_file import game_bytes, read_games
from engine88.training.selfplay.run_file import EVERY_S, LockedError, Progress, RunFileError, duration, open_run
from tests.engine88.training.random_games import random_game

MADE_WITH: dict[str, Any] = {"run": "test", "soft_nodes": 100}
ENGINE = {"version": "1", "sources": "abc"}
GAMES = [game_bytes(random_game(seed, plies=10)) for seed in range(3)]


def write(path: Path, games: list[bytes]) -> None:
    with open_run(path, MADE_WITH, ENGINE) as run:
        for game in games:
            run.append(game)


def test_games_are_counted_as_they_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.games"
    with open_run(path, MADE_WITH, ENGINE) as run:
        for game in [*GAMES, GAMES[0]]:
            run.append(game)
        assert (run.games, run.duplicates) == (4, 1)
        assert run.positions == sum(len(game.moves) for game in read_games(path))
        assert sum(run.results.values()) == 4
    with open_run(path, MADE_WITH, ENGINE) as again:
        assert (again.games, again.duplicates, again.positions) == (4, 1, run.positions)
        assert again.results == run.results


def test_wherever_the_writer_was_killed_the_whole_games_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    write(path, GAMES)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        kept = len(list(read_games(path)))
        with open_run(path, MADE_WITH, ENGINE) as run:
            assert run.games == kept
            for game in GAMES[kept:]:
                run.append(game)
        assert path.read_bytes() == whole


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    write(path, GAMES)
    with (
        pytest.raises(RunFileError, match=r"a\.games: begun with soft_nodes 100, and now it is 200"),
        open_run(path, {**MADE_WITH, "soft_nodes": 200}, ENGINE),
    ):
        pass


def test_two_writers_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    with (
        open_run(path, MADE_WITH, ENGINE),
        pytest.raises(LockedError, match="another process is writing to it"),
        open_run(path, MADE_WITH, ENGINE),
    ):
        pass


def test_games_without_their_settings_are_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    path.write_bytes(GAMES[0])
    with pytest.raises(RunFileError, match=r"holds games, but a\.json is not beside it"), open_run(path, {}, {}):
        pass
    assert path.read_bytes() == GAMES[0]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 99}'])
def test_settings_that_are_none_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunFileError, match=r"a\.json: "), open_run(tmp_path / "a.games", MADE_WITH, ENGINE):
        pass


def test_the_engines_of_a_run_are_told_with_the_game_they_began_at(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    write(path, GAMES[:1])
    write(path, GAMES[1:2])
    with open_run(path, MADE_WITH, {**ENGINE, "sources": "def"}) as run:
        run.append(GAMES[2])
    engines = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["engines"]
    assert [(engine["from_game"], engine["sources"]) for engine in engines] == [(0, "abc"), (2, "def")]


def test_speed_and_time_left_count_from_the_first_result() -> None:
    now_s = [100.0]
    progress = Progress(1000, lambda: now_s[0])
    assert not progress.is_due(500, 50_000)  # a run that is continued
    now_s[0] += EVERY_S / 2
    assert not progress.is_due(505, 50_500)
    now_s[0] += EVERY_S / 2
    assert progress.is_due(600, 60_000)
    assert progress.line() == "600 of 1,000 games, 60,000 positions, 1,000 positions/s (3.60 M an hour), 40 s left"
    assert not progress.is_due(601, 60_100)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59, "59 s"), (61, "1 min 01 s"), (3600 * 26 + 125, "26 h 02 min")]
)
def test_durations_for_people(seconds: float, text: str) -> None:
    assert duration(seconds) == text
