"""Ends of games and reasons of refused moves, variant by variant."""

from __future__ import annotations

import chess
import pytest

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.world.game_end import GameEnd, flag_outcome, parse_move, position_outcome
from bot.fake_lichess.world.variants import VARIANTS


@pytest.mark.parametrize(
    ("variant", "fen", "expected"),
    [
        ("standard", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", GameEnd("mate", chess.WHITE)),
        ("standard", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", GameEnd("stalemate", None)),
        ("standard", "7k/8/6K1/8/8/8/8/6B1 b - - 0 1", GameEnd("draw", None)),
        ("standard", "7k/8/6K1/8/8/8/8/6R1 b - - 99 80", None),
        ("standard", "7k/8/6K1/8/8/8/8/6R1 b - - 100 80", GameEnd("draw", None)),
        ("kingOfTheHill", "7k/8/8/4K3/8/8/8/8 b - - 0 1", GameEnd("variantEnd", chess.WHITE)),
        ("threeCheck", "7k/8/8/8/8/8/8/K6R b - - 0 1 +3+0", GameEnd("variantEnd", chess.WHITE)),
        ("antichess", "8/8/8/8/8/8/8/7n w - - 0 1", GameEnd("variantEnd", chess.WHITE)),
        ("racingKings", "K7/8/8/8/8/8/8/7k b - - 0 1", GameEnd("variantEnd", chess.WHITE)),
        ("horde", "rnbqkbnr/8/8/8/8/8/8/8 w kq - 0 1", GameEnd("variantEnd", chess.BLACK)),
        ("atomic", "8/8/8/8/8/8/8/K6R b - - 0 1", GameEnd("variantEnd", chess.WHITE)),
        ("chess960", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", GameEnd("mate", chess.WHITE)),
        ("kingOfTheHill", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", GameEnd("stalemate", None)),
        ("kingOfTheHill", "7k/8/6K1/8/8/8/8/6B1 b - - 0 1", None),
        ("threeCheck", "7k/8/8/8/8/8/8/K6R b - - 0 1 +2+0", None),
        ("threeCheck", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 +1+0", GameEnd("mate", chess.WHITE)),
        ("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1", GameEnd("variantEnd", chess.WHITE)),
        ("antichess", "8/8/8/8/8/p7/P7/n7 b - - 0 1", None),
        ("antichess", "8/8/8/8/8/8/B7/b7 w - - 0 1", GameEnd("draw", None)),
        ("antichess", "7n/8/8/8/8/8/8/N7 w - - 100 80", GameEnd("draw", None)),
        ("racingKings", "K6k/8/8/8/8/8/8/8 w - - 0 1", GameEnd("draw", None)),
        ("racingKings", "K7/7k/8/8/8/8/8/8 b - - 0 1", None),
        ("racingKings", "7k/K7/8/8/8/8/8/8 w - - 0 1", GameEnd("variantEnd", chess.BLACK)),
        ("horde", "k7/P7/1PP5/8/8/8/8/8 b - - 0 1", GameEnd("stalemate", None)),
        ("horde", "k7/1PP5/1PP5/8/8/8/8/8 b - - 0 1", GameEnd("mate", chess.WHITE)),
        ("atomic", "7k/6Q1/8/8/8/8/8/K7 b - - 0 1", GameEnd("mate", chess.WHITE)),
        ("atomic", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", GameEnd("stalemate", None)),
        ("crazyhouse", "R5k1/5ppp/8/8/8/8/8/6K1[] b - - 0 1", GameEnd("mate", chess.WHITE)),
        ("crazyhouse", "R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1", None),
        ("crazyhouse", "7k/8/6K1/8/8/8/8/6R1[] b - - 100 80", None),
        ("crazyhouse", "7k/8/6K1/8/8/8/8/6B1[] b - - 0 1", None),
    ],
)
def test_the_position_ends_the_game(variant: str, fen: str, expected: GameEnd | None) -> None:
    assert position_outcome(VARIANTS[variant].board_class(fen)) == expected


def test_fivefold_repetition_is_a_draw_and_threefold_is_not() -> None:
    board = chess.Board()
    ends = []
    for _ in range(4):
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(uci)
            ends.append(position_outcome(board))
    assert ends[:-1] == [None] * 15
    assert ends[-1] == GameEnd("draw", None)


def test_time_runs_out_against_a_bare_king_for_a_draw() -> None:
    board = chess.Board("7k/8/6K1/8/8/8/8/6R1 w - - 0 1")
    assert flag_outcome(board, chess.WHITE) == GameEnd("outoftime", None)
    assert flag_outcome(board, chess.BLACK) == GameEnd("outoftime", chess.WHITE)


def test_time_runs_out_for_a_win_in_crazyhouse_whatever_is_left() -> None:
    board = VARIANTS["crazyhouse"].board_class("7k/8/6K1/8/8/8/8/6R1[] w - - 0 1")
    assert flag_outcome(board, chess.WHITE) == GameEnd("outoftime", chess.BLACK)


@pytest.mark.parametrize(
    ("uci", "text"),
    [
        ("e2e5", "Piece on e2 cannot move to e5"),
        ("e7e5", "Not my piece on e7"),
        ("e4e5", "No piece on e4"),
        ("zz", "Invalid UCI: zz"),
        ("0000", "Invalid UCI: 0000"),
        ("Q@e4", "Cannot drop queen on e4"),
        ("x" * 1000, "Invalid UCI: " + "x" * 20),
    ],
)
def test_a_refused_move_is_reported_why(uci: str, text: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_move(chess.Board(), uci)
    assert (refused.value.status, refused.value.message) == (400, text)


@pytest.mark.parametrize("uci", ["e1g1", "e1h1"])
@pytest.mark.parametrize("chess960", [False, True])
def test_castling_is_taken_in_both_spellings(uci: str, chess960: bool) -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=chess960)
    assert board.is_castling(parse_move(board, uci))
