"""Static exchange evaluation against a naive implementation."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from hypothesis import given

from engine88.rules.position import Position
from engine88.rules.see import SEE_VALUE, see_ge
from tests.engine88.games import choices, starts, tried, walk
from tests.engine88.naive import exchange

PAWN, KNIGHT, BISHOP, ROOK, QUEEN = (int(value) for value in SEE_VALUE[1:6])

KNOWN = {
    "a pawn for nothing": ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", PAWN),
    "x-rays behind x-rays": ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", PAWN - KNIGHT),
    "a queen takes a guarded pawn": ("4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1", "e2e5", PAWN - QUEEN),
    "the king recaptures": ("8/8/3k4/4p3/8/8/4R3/4K2B w - - 0 1", "e2e5", PAWN - ROOK),
    "the king may not recapture a guarded piece": ("8/8/3k4/4p3/8/3N4/8/4R1K1 w - - 0 1", "e1e5", PAWN),
    "en passant": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", PAWN),
    "a promotion that is lost": ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -PAWN),
    "a promotion by capture": ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", ROOK + QUEEN - PAWN),
    "castling": ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
    "a quiet step into an attack": ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -KNIGHT),
}


@pytest.mark.parametrize(("fen", "name", "wins"), KNOWN.values(), ids=KNOWN.keys())
def test_known_exchanges(fen: str, name: str, wins: int) -> None:
    position = Position.from_fen(fen)
    move = position.parse_move(name)
    assert exchange(chess.Board(fen), chess.Move.from_uci(name)) == wins
    assert see_ge(position.board, move, wins)
    assert not see_ge(position.board, move, wins + 1)


@tried(40)
@given(starts(), choices)
def test_see_ge_equals_the_naive_exchange(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, numbers, every=5):
        for code in position.legal_codes():
            expected = exchange(board, board.parse_uci(position.move_name(code)))
            for threshold in (expected - 1, expected, expected + 1, 0):
                assert bool(see_ge(position.board, code, threshold)) == (expected >= threshold)
        assert position.fen() == board.fen(en_passant="legal")
