"""Seeks: offers that anyone may take, matched with each other or taken by an account that the server plays."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass

import chess

from .accounts import Account
from .challenges import Terms
from .game_end import GameEnd
from .lobby import Lobby
from .server_game import Game
from .variants import COLORS

Range = tuple[int, int]
# How long a player may wait with the first move, in milliseconds (lila `Game.timeForFirstMove`)
OTHER_MS = {"ultraBullet": 15_000, "bullet": 20_000, "blitz": 25_000, "rapid": 30_000, "classical": 35_000}


def _nothing() -> None:
    return


@dataclass(eq=False)
class Seek:
    """An offer to play. `on_end` is called when it is taken; `ratings`: lowest and highest of the opponent."""

    id: str
    account: Account
    terms: Terms
    ratings: Range | None = None
    on_end: Callable[[], None] = _nothing

    @property
    def streamed(self) -> bool:
        """Whether the seek ends with its stream."""
        return self.terms.control.limit_ms is not None

    def accepts(self, account: Account) -> bool:
        """Return whether an account may be the opponent."""
        if account is self.account:
            return False
        low, high = self.ratings or (0, 10_000)
        return low <= account.perf(self.terms.perf).rating <= high

    def fits(self, other: Seek) -> bool:
        """Return whether two seeks make a game."""
        same = dataclasses.replace(self.terms, color="random") == dataclasses.replace(other.terms, color="random")
        colors = {self.terms.color, other.terms.color}
        agree = "random" in colors or len(colors) == 2
        return same and agree and self.accepts(other.account) and other.accepts(self.account)


class Seeks:
    """All seeks of a world, the oldest first."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._world = lobby.world
        self.seeks: list[Seek] = []

    def add(self, account: Account, terms: Terms, ratings: Range | None) -> Seek:
        """Offer a game or take an offered one; the seek stays in `seeks` until it is taken."""
        seek = Seek(self._world.new_id(), account, terms, ratings)
        other = next((one for one in self.seeks if one.fits(seek)), None)
        if other is not None:
            self._begin(other, account, seek.terms.color)
            return seek
        self.seeks.append(seek)
        after_s = self._world.config.seek_taken_after_s
        if after_s is not None:
            asyncio.get_running_loop().call_later(after_s, self._let_server_take, seek)
        return seek

    def cancel(self, seek: Seek) -> None:
        """Withdraw an offer; idempotent."""
        if seek in self.seeks:
            self.seeks.remove(seek)

    def _let_server_take(self, seek: Seek) -> None:
        """Let an account that the server plays take the seek. Bots may not take seeks."""
        if seek not in self.seeks or self._world.down:
            return
        played = [one for one in self._world.registry.all() if one.id in self._world.opponents and not one.is_bot]
        willing = [one for one in played if seek.accepts(one)]
        if willing:
            self._begin(seek, self._world.rng.choice(willing), "random")

    def _begin(self, seek: Seek, taker: Account, color: str) -> None:
        self.cancel(seek)
        wanted = COLORS.get(seek.terms.color)
        if wanted is None:
            wished = COLORS.get(color)
            wanted = bool(self._world.rng.getrandbits(1)) if wished is None else not wished
        sides: dict[chess.Color, Account | None] = {wanted: seek.account, not wanted: taker}
        game = self._lobby.builder.make(self._world.new_id(), seek.terms, sides, "lobby", None, None)
        if game.spec.control.limit_ms is not None:
            game.spec = dataclasses.replace(game.spec, first_move_ms=OTHER_MS[game.spec.speed])
        self._world.begin(game)
        seek.on_end()
        self._abort_unless_begun(game)

    def _abort_unless_begun(self, game: Game) -> None:
        """Abort a game whose first moves are late; check again until both sides have moved."""
        allowed = game.spec.first_move_ms
        if allowed is None or not game.playable or game.both_moved or self._world.down:
            return
        left_ms = game.last_move_at_ms + allowed - time.time_ns() // 1_000_000
        if left_ms <= 0:
            game.finish(GameEnd("aborted", None), self._world.now_ms())
        else:
            asyncio.get_running_loop().call_later(left_ms / 1000, self._abort_unless_begun, game)
