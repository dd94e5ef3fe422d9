"""Boards copied for the engine; `bestmove` lines read."""

from __future__ import annotations

import chess
import pytest

from bot.engine_pool.boards import legal_bestmove, quick_copy


def test_a_copy_is_independent_and_has_the_moves() -> None:
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(move)
    copy = quick_copy(board)
    assert (copy, copy.move_stack, copy.root()) == (board, board.move_stack, chess.Board())
    copy.pop()
    copy.push_uci("f1c4")
    assert board.peek() == chess.Move.from_uci("g1f3")
    while board.move_stack:
        board.pop()
    assert board == chess.Board()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bestmove e2e4", ("e2e4", None)),
        ("bestmove E2E4 ponder E7E5", ("e2e4", "e7e5")),
        ("bestmove e2e4 ponder", ("e2e4", None)),
        ("bestmove e2e4 ponder (none)", ("e2e4", None)),
        ("bestmove e2e4 e7e5 e7e5", ("e2e4", None)),
        ("bestmove e2e4 reply e7e5", ("e2e4", None)),
        ("bestmove", None),
        ("bestmove (none)", None),
        ("bestmove 0000", None),
        ("bestmove e1e5", None),
        ("bestmove e2e4e4", None),
    ],
)
def test_bestmove(line: str, expected: tuple[str, str | None] | None) -> None:
    found = legal_bestmove(chess.Board(), line.split())
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert (found[0].uci(), found[1].uci() if found[1] else None) == expected
