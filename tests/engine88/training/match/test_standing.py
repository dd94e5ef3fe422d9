"""The file of a match and its standing."""

from __future__ import annotations

from engine88.training.match.game import PlayedGame, pgn_of
from engine88.training.match.standing import PlayedPair, Standing, read_pairs
from engine88.training.match.statistics import Sprt

FEN = "6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 3 20"


def pgn(pair: int, *results: str) -> str:
    text = ""
    for number, result in enumerate(results, 1):
        game = PlayedGame(FEN, ["a2a1"], ["Ra1# {+1.00/3 0.1s}"], result=result, reason="checkmate")
        text += pgn_of(game, {"Event": "A - B", "Round": f"{pair}.{number}", "White": "A", "Black": "B"})
    return text


def test_pairs_are_counted_for_the_first_engine() -> None:
    text = pgn(1, "1-0", "1-0") + pgn(2, "1/2-1/2", "0-1")
    record = read_pairs(text)
    ends = ("checkmate", "checkmate")
    assert record.pairs == (PlayedPair((2, 0), ends), PlayedPair((1, 2), ends))
    assert record.size == len(text)


def test_a_torn_pair_is_left_out_wherever_it_is_cut() -> None:
    first, second = pgn(1, "1-0", "0-1"), pgn(2, "1-0", "1/2-1/2")
    for cut in range(len(second)):
        record = read_pairs(first + second[:cut])
        assert (len(record.pairs), record.size) == (1, len(first))
    assert len(read_pairs(first + second).pairs) == 2


def test_pairs_of_another_order_are_none() -> None:
    assert read_pairs(pgn(2, "1-0", "0-1")).size == 0
    assert read_pairs("no PGN").pairs == ()


def test_pairs_and_games_are_counted() -> None:
    standing = Standing([PlayedPair((2, 1), ("checkmate", "adjudication"))] * 3)
    standing.add(PlayedPair((0, 1), ("time forfeit", "checkmate")))
    assert standing.pentanomial == [0, 1, 0, 3, 0]
    assert standing.line(None).startswith("8 games: +3 =4 -1, pairs [0, 1, 0, 3, 0], 62.5 %, Elo +88.7 (")
    assert standing.endings() == "4 checkmate, 3 adjudication, 1 time forfeit"
    line = standing.line(Sprt(0, 5))
    assert "LLR +" in line
    assert line.endswith("(-2.94 to 2.94) [0, 5]")
