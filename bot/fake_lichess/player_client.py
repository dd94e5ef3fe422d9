"""Acting for one user in one game, from any thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Self, TypeVar

from bot.fake_lichess.server_thread import ServerThread
from bot.fake_lichess.world.seat import Seat

T = TypeVar("T")
LOOK_EVERY_S = 0.02


class PlayerClient:
    """One user's seat in one game, to act for him from a test. Acts raise ApiError as the server refuses."""

    def __init__(self, server: ServerThread, name: str, game_id: str) -> None:
        self._server, self._name, self._game_id = server, name, game_id

    def _do(self, act: Callable[[Seat], T]) -> T:
        def run() -> T:
            world = self._server.world
            game, color = world.seat_of(world.account(self._name), self._game_id)
            return act(Seat(world, game, color))

        return self._server.call(run)

    def wait_for_turn(self, timeout_s: float = 60.0) -> Self:
        """Wait for the player's turn: a move that a page shows may still be on its way. Raises TimeoutError."""
        end_s = time.monotonic() + timeout_s
        while not self._do(lambda seat: seat.to_move):
            if time.monotonic() >= end_s:
                raise TimeoutError(f"it is not {self._name}'s turn in game {self._game_id} after {timeout_s:.0f} s")
            time.sleep(LOOK_EVERY_S)
        return self

    def move(self, uci: str, *, offering_draw: bool = False) -> None:
        """Make a move."""
        self._do(lambda seat: seat.move(uci, offering_draw=offering_draw))

    def draw(self, yes: bool = True) -> None:
        """Offer, accept or decline a draw."""
        self._do(lambda seat: seat.draw(yes))

    def takeback(self, yes: bool = True) -> None:
        """Propose, accept or decline a takeback."""
        self._do(lambda seat: seat.takeback(yes))

    def resign(self) -> None:
        """Resign."""
        self._do(lambda seat: seat.resign())

    def abort(self) -> None:
        """Abort."""
        self._do(lambda seat: seat.abort())

    def say(self, text: str, room: str = "player") -> None:
        """Chat."""
        self._do(lambda seat: seat.say(text, room))

    def leave(self) -> None:
        """Be gone."""
        self._do(lambda seat: seat.leave())

    def come_back(self) -> None:
        """Be here again."""
        self._do(lambda seat: seat.come_back())

    def claim(self, *, win: bool = True) -> None:
        """Claim against an absent opponent."""
        self._do(lambda seat: seat.claim(win=win))

    def give_time(self, seconds: int) -> None:
        """Give the opponent time."""
        self._do(lambda seat: seat.give_time(seconds))

    def rematch(self) -> str:
        """Offer a rematch; the id of the challenge, which becomes the game's."""
        return self._do(lambda seat: self._server.lobby.offer_rematch(seat.game, seat.color).id)
