"""Pawn structure against a naive count on python-chess squares; the pawn table never changes a score."""

from __future__ import annotations

from typing import Any

import chess
from hypothesis import given, settings

from engine88.board.squares import square_name
from engine88.evaluation.classical.evaluation_state import BY_PAWN, PAWN_SPAN, WORD_FILES, WORD_PASSERS
from engine88.evaluation.classical.pawns import probe_pawns
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen
from tests.engine88.games import choices, examples, starts, walk


def passed_pawns(board: chess.Board, color: chess.Color) -> set[str]:
    """Names of the squares of passed pawns that lead their file, by looking at every pawn."""
    forward = 1 if color else -1
    found = set()
    for square in board.pieces(chess.PAWN, color):
        file, rank = chess.square_file(square), chess.square_rank(square)
        ahead = [
            pawn
            for owner in chess.COLORS
            for pawn in board.pieces(chess.PAWN, owner)
            if (chess.square_rank(pawn) - rank) * forward > 0
            and abs(chess.square_file(pawn) - file) <= (1 if owner != color else 0)
        ]
        if not ahead:
            found.add(chess.square_name(square))
    return found


def pawn_row_of(position: Any, evaluation: Any) -> int:
    """Row of the pawn table, filled."""
    return int(probe_pawns(position.board, evaluation.classical))


def listed_passers(evaluation: Any, row: int, color: int) -> set[str]:
    """Passed pawns that a row of the pawn table names."""
    word = int(evaluation.classical.pawn_words[row, WORD_PASSERS + color])
    names = set()
    while word:
        names.add(square_name(word & 0xFF))
        word >>= 8
    return names


@settings(max_examples=examples(40), deadline=None)
@given(starts(), choices)
def test_passed_pawns_equal_the_naive_count(start: Any, numbers: list[int]) -> None:
    evaluation = new_evaluation_state()
    for position, board in walk(start, numbers):
        row = pawn_row_of(position, evaluation)
        assert listed_passers(evaluation, row, 0) == passed_pawns(board, chess.WHITE)
        assert listed_passers(evaluation, row, 1) == passed_pawns(board, chess.BLACK)


@settings(max_examples=examples(40), deadline=None)
@given(starts(), choices)
def test_pawn_attacks_and_files_equal_the_naive_count(start: Any, numbers: list[int]) -> None:
    evaluation = new_evaluation_state()
    for position, board in walk(start, numbers):
        row = pawn_row_of(position, evaluation)
        files = int(evaluation.classical.pawn_words[row, WORD_FILES])
        for color in (0, 1):
            pawns = board.pieces(chess.PAWN, color == 0)
            assert files >> (8 * color) & 0xFF == sum({1 << chess.square_file(square) for square in pawns})
            attacked = {square for pawn in pawns for square in board.attacks(pawn)}
            for square in chess.SQUARES:
                byte = int(evaluation.classical.pawn_maps[row, (square >> 3) * 16 + (square & 7) + 8 * color])
                assert bool(byte & BY_PAWN) == (square in attacked)
                assert not byte & BY_PAWN or byte & PAWN_SPAN


def difference(better: str, worse: str) -> int:
    """White's judgement of one placement minus that of another; White to move in both."""
    evaluation = new_evaluation_state()
    return int(evaluate(read_fen(f"{better} w - - 0 1"), evaluation)) - int(
        evaluate(read_fen(f"{worse} w - - 0 1"), evaluation)
    )


def test_isolated_and_doubled_pawns_cost() -> None:
    assert difference("4k3/pp3p2/8/8/8/8/PP3P2/4K3", "4k3/pp3p2/8/8/8/P7/P4P2/4K3") > 0


def test_a_passed_pawn_gains_with_every_rank() -> None:
    ways = ("8/8/8/P7", "8/8/P7/8", "8/P7/8/8")
    fens = [f"4k3/6pp/{way}/6PP/4K3" for way in ways]
    for nearer, farther in zip(fens[1:], fens, strict=False):
        assert difference(nearer, farther) > 0


def test_supported_pawns_beat_scattered_ones() -> None:
    assert difference("4k3/pp3pp1/8/8/3P4/2P5/1P3P2/4K3", "4k3/pp3pp1/8/8/1P1P4/8/5P1P/4K3") > 0
