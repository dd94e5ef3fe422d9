"""Random games for tests: the engine's position and python-chess's board side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator

import chess
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine88.rules.fen import START_FEN
from engine88.rules.position import Position
from tests.helpers.examples import scaled

TRAPS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/1Ppp3r/1KR2pk1/4P3/6P1/8 w - c6 0 1",
    "r6r/1b2k1bq/8/8/7B/8/8/R3K2R b KQ - 3 2",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
)

PLAIN_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""The kernels run as plain Python, a few hundred times slower: tests do less of the same."""


def compiled_only(reason: str) -> pytest.MarkDecorator:
    """Skip a test in plain Python; the reason says what it needs the compiler for."""
    return pytest.mark.skipif(PLAIN_PYTHON, reason=f"compiled only: {reason}")


def examples(count: int) -> int:
    """How many examples a property is tried on, of `count` with compiled kernels in the default profile."""
    return max(2, count // 20) if PLAIN_PYTHON else scaled(count)


def tried(count: int) -> settings:
    """Try a property on `count` examples (fewer in plain Python), however slow the machine is."""
    return settings(max_examples=examples(count), deadline=None, suppress_health_check=[HealthCheck.too_slow])


choices = st.lists(st.integers(0, 2**16), min_size=1, max_size=20 if PLAIN_PYTHON else 100)
"""Which of the legal moves is played, ply by ply (modulo their number)."""


@st.composite
def starts(draw: st.DrawFn) -> tuple[Position, chess.Board]:
    """A starting position of standard chess, of a trap, or of Chess960."""
    kind = draw(st.integers(0, 2))
    if kind == 2:
        board = chess.Board.from_chess960_pos(draw(st.integers(0, 959)))
        return Position.from_fen(board.fen(), chess960=True), board
    fen = START_FEN if kind == 0 else draw(st.sampled_from(TRAPS))
    return Position.from_fen(fen), chess.Board(fen)


def walk(
    start: tuple[Position, chess.Board], numbers: list[int], every: int = 1
) -> Iterator[tuple[Position, chess.Board]]:
    """Both views of every `every`-th position of a random game, the start first; valid until the next is asked for."""
    position, board = start
    board = board.copy()
    yield position, board
    for ply, number in enumerate(numbers, 1):
        names = sorted(move.uci() for move in board.legal_moves)
        if not names:
            return
        name = names[number % len(names)]
        position = position.push(name)
        board.push_uci(name)
        if ply % every == 0:
            yield position, board
