"""The soak's engine: legal moves, a log line before each answer, `stop` and `isready` heard."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import chess
import chess.engine
import pytest

from benchmarks.soak.bot_process import ENGINE
from benchmarks.soak.evidence import position_key, read_searches


def play(log: Path, board: chess.Board, plies: int) -> list[str]:
    """Let the engine play both sides."""

    async def story() -> list[str]:
        transport, engine = await chess.engine.popen_uci([sys.executable, str(ENGINE), "--log", str(log)])
        moves = []
        for _ in range(plies):
            clock = chess.engine.Limit(white_clock=0.5, black_clock=0.5)
            result = await engine.play(board, clock, game="one")
            assert result.move is not None
            moves.append(board.uci(result.move))
            board.push(result.move)
        await engine.quit()
        transport.close()
        return moves

    return asyncio.run(story())


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"])
def test_every_answer_is_legal_and_logged(fen: str, tmp_path: Path) -> None:
    moves = play(tmp_path / "log", chess.Board(fen), 12)
    searches = read_searches(tmp_path / "log")
    assert [search.move for search in searches] == moves
    assert [search.key for search in searches] == [position_key(moves[:ply]) for ply in range(12)]
    assert [search.first for search in searches] == [True] + [False] * 11


def test_chess960_castling_is_understood(tmp_path: Path) -> None:
    board = chess.Board.from_chess960_pos(100)
    assert len(play(tmp_path / "log", board, 20)) == 20
