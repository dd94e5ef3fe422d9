"""What was played is read from the PGN, wherever the writer was killed."""

from __future__ import annotations

from engine88.training.match.game import PlayedGame, pgn_of
from engine88.training.match.match_file import PlayedPair, read_pairs

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
