"""The search finds what is there: mates, draws, the better side of an exchange; and leaves the board as it was."""

from __future__ import annotations

import pytest

from engine88.board.defs import INFINITE, MATE
from engine88.compiler.jit import int64
from engine88.rules.position import Position
from engine88.search.quiescence import qsearch
from engine88.search.search import search
from engine88.search.search_state import STACK_OFFSET
from tests.engine88.games import compiled_only
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, Records, depth, searcher_of

MATES = {  # FEN: moves to mate
    "back rank": ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", 1),
    "two rooks": ("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
    "queen and king": ("8/8/8/8/8/4k3/7q/4K3 b - - 0 1", 1),
    "promotion": ("7k/P7/6K1/8/8/8/8/8 w - - 0 1", 1),
    "a queen given for a quiet mating check": ("5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", 2),
}
LONGER_MATES = {  # from endgame tables: shortest mate in so many moves
    "queen, 3": ("8/8/8/8/4K3/5Q2/8/6k1 w - - 0 1", 3),
    "queen, 4": ("8/8/3K4/8/8/8/2Q5/4k3 w - - 0 1", 4),
    "queen, 5": ("8/8/8/8/7Q/8/5K2/1k6 w - - 0 1", 5),
    "rook, 3": ("8/7k/5K2/5R2/8/8/8/8 w - - 0 1", 3),
    "rook, 4": ("R7/8/8/8/8/8/4K1k1/8 w - - 0 1", 4),
    "rook, 5": ("3k4/5R2/8/4K3/8/8/8/8 w - - 0 1", 5),
}
DRAWS = {
    "stalemate is near": "7k/8/6K1/8/8/8/8/8 w - - 0 1",
    "bishops of one colour": "5b1k/8/6K1/8/8/8/8/2B5 w - - 0 1",
    "fifty moves without progress": "7k/8/8/8/8/8/R7/K6n w - - 99 120",
}


@compiled_only("it searches thousands of nodes")
@pytest.mark.parametrize(("fen", "moves"), MATES.values(), ids=list(MATES))
def test_mates_are_found_and_counted(fen: str, moves: int) -> None:
    line = searcher_of(fen).run(2 * moves + 6)
    assert line is not None
    assert line.score == MATE - (2 * moves - 1)
    assert len(line.pv) == 2 * moves - 1


@compiled_only("needs some hundred thousand nodes")
@pytest.mark.parametrize(("fen", "moves"), LONGER_MATES.values(), ids=list(LONGER_MATES))
def test_the_shortest_mate_is_found(fen: str, moves: int) -> None:
    shortest = MATE - (2 * moves - 1)
    line = searcher_of(fen).run(40, 1_000_000, 1, (), lambda line: line.completed and line.score == shortest)
    assert line is not None
    assert line.score == shortest


@pytest.mark.parametrize("fen", DRAWS.values(), ids=list(DRAWS))
def test_draws_score_near_zero(fen: str) -> None:
    line = searcher_of(fen).run(depth(8, 2))
    assert line is not None
    assert abs(line.score) <= 1


@compiled_only("needs some ten thousand nodes")
def test_a_perpetual_check_saves_the_weaker_side() -> None:
    # the black queen checks on g4 and d1 forever; without that White, a rook up, would win
    line = searcher_of("8/Q5pk/R6p/8/8/7q/5P1P/6K1 b - - 0 1").run(10)
    assert line is not None
    assert abs(line.score) <= 1


def test_the_stronger_side_avoids_a_repetition() -> None:
    position = Position.from_fen(start := "6k1/8/8/8/8/8/1Q6/K7 w - - 10 60")
    for name in ("b2c3", "g8f8", "c3b2", "f8g8"):
        position = position.push(name)
    searcher = searcher_of(start)
    searcher.set_position(position)
    line = searcher.run(depth(8, 3))
    assert line is not None
    assert line.score > 300


def test_search_leaves_the_board_as_it_was() -> None:
    records = Records(KIWIPETE)
    fields = ("squares", "pieces", "list_sizes", "counts", "side", "castling_rights", "en_passant", "key", "stack_size")
    before = [records.board[field].tobytes() for field in fields]
    arguments = [int64(number) for number in (-INFINITE, INFINITE, depth(6, 1), 1, 0)]
    search(records.board, records.lists, records.state, records.evaluation, *arguments)
    assert [records.board[field].tobytes() for field in fields] == before


def test_a_null_window_agrees_with_a_full_one() -> None:
    def score_of(alpha: int, beta: int) -> int:
        records = Records(MIDDLEGAME)
        arguments = [int64(number) for number in (alpha, beta, 1, 1, 0)]
        return int(search(records.board, records.lists, records.state, records.evaluation, *arguments))

    exact = score_of(-INFINITE, INFINITE)
    assert score_of(exact - 1000, exact - 999) >= exact - 999
    assert score_of(exact + 999, exact + 1000) <= exact + 999


def quiescence_score(fen: str, in_check: bool = False) -> int:
    records = Records(fen)
    records.state.stack[1 + STACK_OFFSET].in_check = int(in_check)
    arguments = [int64(number) for number in (-INFINITE, INFINITE, 1)]
    return int(qsearch(records.board, records.lists, records.state, records.evaluation, *arguments))


def test_quiescence_takes_what_hangs() -> None:
    even = "6k1/5ppp/3q4/8/4P3/8/3Q1PPP/6K1 {} - - 0 1"
    assert quiescence_score(even.format("w")) > 500
    assert quiescence_score(even.format("b")) > 500


def test_quiescence_does_not_take_what_is_defended() -> None:
    quiet = quiescence_score("6k1/2p2ppp/3p4/8/8/8/3R1PPP/6K1 w - - 0 1")
    loses_a_rook = -500
    assert quiet > loses_a_rook


def test_quiescence_sees_a_mate_in_check() -> None:
    assert quiescence_score("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", in_check=True) == 1 - MATE


def test_stop_ends_the_search_at_once() -> None:
    searcher = searcher_of(MIDDLEGAME)
    searcher.stop()
    assert searcher.run() is None
    assert searcher.nodes <= 1
