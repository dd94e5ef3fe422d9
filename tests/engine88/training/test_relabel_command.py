"""`python -m engine88.training relabel`: gone on with where it ended, and only with the same games."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88.training.__main__ import main
from engine88.training.game_file import game_bytes, read_games
from tests.engine88.training.random_games import random_game


def write(path: Path, *seeds: int) -> Path:
    path.write_bytes(b"".join(game_bytes(random_game(seed, plies=12)) for seed in seeds))
    return path


def relabel(out: Path, *games: Path) -> int:
    return main(["relabel", str(out), *map(str, games), "--soft", "50", "--hard", "200", "--workers", "0"])


def test_games_are_searched_again_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out, cut = write(tmp_path / "old.games", 1, 2, 3, 4), tmp_path / "new.games", tmp_path / "cut.games"
    assert relabel(out, games) == 0
    for new, old in zip(read_games(out), read_games(games), strict=True):
        assert (new.fen, new.result, new.moves.tolist()) == (old.fen, old.result, old.moves.tolist())
        assert new.scores_cp.tolist() != old.scores_cp.tolist()
    assert "new.games: 4 games" in capsys.readouterr().err
    write(games, 1, 2)
    assert relabel(cut, games) == 0
    cut.write_bytes(cut.read_bytes()[:-3])
    write(games, 1, 2, 3, 4)
    assert relabel(cut, games) == 0
    assert cut.read_bytes() == out.read_bytes()


def test_other_games_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = write(tmp_path / "old.games", 1, 2), tmp_path / "new.games"
    assert relabel(out, games) == 0
    before = out.read_bytes()
    capsys.readouterr()
    assert relabel(out, write(games, 3, 4)) == 1
    assert "new.games: made from other games than" in capsys.readouterr().err
    assert relabel(out, write(games, 1)) == 1
    assert "holds 2 games, and the older files only 1" in capsys.readouterr().err
    assert relabel(out, write(tmp_path / "other.games", 1, 2)) == 1
    assert "begun with games ['old.games'], and now it is ['other.games']" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_the_least_search_is_one_node_and_the_limits_are_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, out = write(tmp_path / "old.games", 1), tmp_path / "new.games"
    words = ["relabel", str(out), str(games), "--workers", "0"]
    assert main([*words, "--soft", "0"]) == 1
    assert main([*words, "--soft", "2", "--hard", "1"]) == 1
    assert "--soft" in capsys.readouterr().err
    assert main([*words, "--soft", "1", "--hard", "1"]) == 0


def test_a_file_that_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert relabel(tmp_path / "new.games", tmp_path / "gone.games") == 1
    assert "gone.games" in capsys.readouterr().err
    assert not (tmp_path / "new.games").exists()


def test_files_without_a_game_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert relabel(tmp_path / "new.games", write(tmp_path / "empty.games")) == 1
    assert "no whole game in" in capsys.readouterr().err
    assert not (tmp_path / "new.games").exists()
