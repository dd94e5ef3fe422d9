"""`python -m engine88.training play`: a file of games, gone on with after it was ended."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest

from engine88.training.__main__ import main
from engine88.training.game_file import read_games
from tests.engine88.training.random_games import uci

SMALL = ["--soft", "60", "--hard", "200", "--workers", "1", "--run", "test"]


def play(path: Path, games: int, *more: str) -> int:
    return main(["play", str(path), "--games", str(games), *SMALL, *more])


def test_games_are_played_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, cut = tmp_path / "whole.games", tmp_path / "cut.games"
    assert play(whole, 4) == 0
    games = list(read_games(whole))
    assert len(games) == 4
    for game in games:
        board = chess.Board(game.fen)
        for code in game.moves:
            board.push_uci(uci(board, int(code)))
    assert "whole.games: 4 games" in capsys.readouterr().err
    assert json.loads((tmp_path / "whole.json").read_text(encoding="utf-8"))["made_with"]["run"] == "test"
    assert play(cut, 2) == 0
    cut.write_bytes(cut.read_bytes()[:-5])
    assert play(cut, 4) == 0
    assert cut.read_bytes() == whole.read_bytes()
    assert "cut.games: going on after 1 games" in capsys.readouterr().err
    assert play(cut, 4) == 0, "nothing is left to do"
    assert cut.read_bytes() == whole.read_bytes()


def test_a_run_without_a_name_gets_one_that_it_keeps(tmp_path: Path) -> None:
    names = set()
    for number in range(2):
        path = tmp_path / f"{number}.games"
        for games in ("1", "2"):
            assert main(["play", str(path), "--games", games, *SMALL[:-2]]) == 0
        names.add(json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["made_with"]["run"])
        assert len(list(read_games(path))) == 2
    assert len(names) == 2


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--hard", "10"], "--hard must be 60 or more, not 10"),
        (["--games", "0"], "--games must be 1 or more, not 0"),
        (["--book-share", "2"], "--book-share must be from 0 to 1"),
        (["--books", "gone.epd"], "gone.epd"),
        (["--network", "gone.npz"], "gone.npz: no such network file"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], problem: str
) -> None:
    assert play(tmp_path / "a.games", 1, *more) == 1
    told = capsys.readouterr().err
    assert told.startswith("play: ")
    assert problem in told
    assert told.count("\n") == 1
    assert not (tmp_path / "a.games").exists()
