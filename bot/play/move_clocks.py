"""What the clocks showed after each move, put together from the lines of a game's stream. Pure."""

from __future__ import annotations

import chess

from bot.events import GameState
from bot.events.game import UNLIMITED_MS


class MoveClocks:
    """A line tells both clocks as they were after the last move: those of the last two moves."""

    def __init__(self) -> None:
        self._after: dict[int, int] = {}
        self._plies = 0

    def note(self, state: GameState, first_to_move: chess.Color) -> None:
        """Take over a line; clocks of moves that were taken back are forgotten."""
        before, self._plies = self._plies, len(state.moves)
        plies = self._plies
        if plies <= before:
            self._after = {ply: clock_ms for ply, clock_ms in self._after.items() if ply < plies}
        for ply in (plies - 1, plies):
            white_moved = (ply % 2 == 1) == (first_to_move == chess.WHITE)
            clock_ms = state.wtime_ms if white_moved else state.btime_ms
            if ply > 0 and clock_ms < UNLIMITED_MS:
                self._after.setdefault(ply, clock_ms)

    def after_moves(self) -> dict[int, int]:
        """Return the mover's time left in ms by ply, counted from 1; moves whose line did not come are left out."""
        return dict(self._after)
