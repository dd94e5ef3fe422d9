"""The line about a match."""

from __future__ import annotations

from engine88.training.match.match_file import PlayedPair
from engine88.training.match.standing import Standing
from engine88.training.match.statistics import Sprt


def test_pairs_and_games_are_counted() -> None:
    standing = Standing([PlayedPair((2, 1), ("checkmate", "adjudication"))] * 3)
    standing.add(PlayedPair((0, 1), ("time forfeit", "checkmate")))
    assert standing.pentanomial == [0, 1, 0, 3, 0]
    assert standing.line(None).startswith("8 games: +3 =4 -1, pairs [0, 1, 0, 3, 0], 62.5 %, Elo +88.7 (")
    assert standing.endings() == "4 checkmate, 3 adjudication, 1 time forfeit"
    line = standing.line(Sprt(0, 5))
    assert "LLR +" in line
    assert line.endswith("(-2.94 to 2.94) [0, 5]")
