"""Turns the export of a finished game into what the game's own stream would have told. Pure."""

from __future__ import annotations

import chess

from bot.events import GameExport, GameFull, GameState
from bot.play.game import UnplayableGameError, starting_board


def finished_game(export: GameExport) -> tuple[GameFull, GameState, chess.Board]:
    """Return the game, its final state and its last position with all moves on the stack.

    Raises UnplayableGameError for moves that do not fit the position.
    """
    board = starting_board(export.variant, export.initial_fen)
    moves = []
    try:
        for san in export.san_moves:
            move = board.parse_san(san)
            moves.append(board.uci(move))
            board.push(move)
    except ValueError as error:
        raise UnplayableGameError(f"game {export.game_id}: the export's moves do not fit: {error}") from error
    white_ms, black_ms = _clocks_left(export)
    state = GameState(
        moves=tuple(moves), wtime_ms=white_ms, btime_ms=black_ms, status=export.status, winner=export.winner
    )
    full = GameFull(
        game_id=export.game_id,
        variant=export.variant,
        speed=export.speed,
        rated=export.rated,
        white=export.white,
        black=export.black,
        initial_fen=export.initial_fen,
        state=state,
        initial_ms=export.initial_ms,
        increment_ms=export.increment_ms,
        days_per_turn=export.days_per_turn,
        created_at_ms=export.created_at_ms,
        perf=export.perf,
        tournament_id=export.tournament_id,
    )
    return full, state, board


def _clocks_left(export: GameExport) -> tuple[int, int]:
    """Return what the clocks of White and Black showed after their last moves, in ms."""
    white_begins = starting_board(export.variant, export.initial_fen).turn == chess.WHITE
    clocks = export.clocks_ms if white_begins else (export.initial_ms or 0, *export.clocks_ms)
    sides = [clocks[first::2] for first in (0, 1)]
    white_ms, black_ms = (side[-1] if side else export.initial_ms or 0 for side in sides)
    return white_ms, black_ms
