"""An export becomes the same game that its stream would have shown."""

from __future__ import annotations

import chess
import pytest

from bot.archive.recorder import finished_game
from bot.events.game import GameExport, GameFull, GameState, Player
from bot.play.game import UnplayableGameError

WHITE, BLACK = Player("me", "Me", "BOT", 2000), Player("alice", "Alice")


def export(sans: str, **fields: object) -> GameExport:
    """A finished blitz game."""
    known: dict[str, object] = {"status": "mate", "winner": "black", "initial_ms": 180_000, "increment_ms": 2000}
    return GameExport("abcdefgh", **(known | {"san_moves": tuple(sans.split())} | fields))  # type: ignore[arg-type]  # as a test wants


def test_nothing_that_the_export_tells_is_lost() -> None:
    told = export(
        "e4", variant="atomic", speed="rapid", perf="atomic", status="resign", winner="white", rated=True, white=WHITE,
        black=BLACK, initial_ms=None, increment_ms=None, days_per_turn=3, created_at_ms=123, tournament_id="arena1",
    )  # fmt: skip
    full, state, board = finished_game(told)
    assert board.fen().startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")
    assert state == GameState(moves=("e2e4",), status="resign", winner="white")
    assert full == GameFull(
        game_id="abcdefgh", variant="atomic", speed="rapid", perf="atomic", rated=True, white=WHITE, black=BLACK,
        initial_fen="startpos", state=state, initial_ms=None, increment_ms=None, days_per_turn=3, created_at_ms=123,
        tournament_id="arena1",
    )  # fmt: skip


def test_castling_is_spelled_as_the_variant_wants_it() -> None:
    _full, state, _board = finished_game(export("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"))
    assert state.moves[-1] == "e1g1"
    fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w BG - 0 1"
    _full, state, board = finished_game(export("O-O", variant="chess960", initial_fen=fen))
    assert state.moves == ("e1g1",)
    assert board.king(chess.WHITE) == chess.G1


def test_moves_that_do_not_fit_are_an_error() -> None:
    with pytest.raises(UnplayableGameError, match="do not fit"):
        finished_game(export("e4 e4"))
