"""A scripted opponent: plays given moves and does given things at given plies."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal

from pydantic import Field

from ..config import ClosedModel, read_model
from ..errors import ApiError
from ..world.challenges import Challenge
from ..world.opponent import ChallengeHandler, Driver
from ..world.seat import Seat
from .base import AcceptsChallenges, Picker, pick_endless, pick_greedy, pick_random

ActionKind = Literal[
    "resign", "abort", "offer_draw", "offer_takeback", "chat", "leave", "come_back", "claim_win", "give_time", "idle"
]
Reply = Literal["accept", "decline", "ignore"]


class Act(ClosedModel):
    """Something to do once the game has `ply` plies, `after_s` later; `text` for chat, `seconds` for give_time."""

    ply: int = Field(ge=0)
    do: ActionKind
    after_s: float = Field(default=0.0, ge=0)
    text: str = "Good luck"
    room: Literal["player", "spectator"] = "player"
    seconds: int = Field(default=15, ge=1)


class Script(ClosedModel):
    """What the opponent plays and does. `moves` are its own, in UCI; `then` is how it goes on after the last."""

    moves: tuple[str, ...] = ()
    then: Literal["random", "endless", "greedy", "resign", "idle"] = "random"
    acts: tuple[Act, ...] = ()
    think_s: float = Field(default=0.0, ge=0)
    challenge: Literal["accept", "ignore"] | str = "accept"  # otherwise a decline reason
    draw: Reply = "decline"
    takeback: Reply = "accept"
    rematch: bool | int = Field(default=False, description="how many rematches in a row it offers; true: ten")


DOWN_WAIT_S = 0.05
MANY_REMATCHES = 10
logger = logging.getLogger(__name__)
PICKERS: dict[str, Picker] = {"random": pick_random, "endless": pick_endless, "greedy": pick_greedy}


def load_script(path: str) -> Script:
    """Return a script from YAML; raises ConfigError."""
    return read_model(path, Script, "script")


class ScriptedOpponent(AcceptsChallenges):
    """Follows one script in every game."""

    def __init__(self, script: Script) -> None:
        self.script = script

    def join(self, seat: Seat) -> Driver:
        """Play one side of a new game."""
        return ScriptedDriver(seat, self.script)

    def on_challenge(self, handler: ChallengeHandler, challenge: Challenge) -> None:
        """Accept, ignore or decline, as the script says."""
        if not challenge.pending or challenge.dest is None or self.script.challenge == "ignore":
            return
        if self.script.challenge == "accept":
            super().on_challenge(handler, challenge)
        else:
            handler.decline(challenge.dest, challenge.id, self.script.challenge)


class ScriptedDriver:
    """One seat under a script."""

    def __init__(self, seat: Seat, script: Script) -> None:
        self.seat = seat
        self.script = script
        self.idle = False
        self._acts = list(script.acts)
        self._next = 0
        self._timers: list[asyncio.TimerHandle] = []
        self._planned: int | None = None

    def wake(self) -> None:
        """Answer offers, start the acts that are due, plan a move."""
        if not self.seat.game.playable:
            return
        self._reply()
        plies = len(self.seat.game.moves)
        for act in [act for act in self._acts if act.ply <= plies]:
            self._acts.remove(act)
            self._later(act.after_s, self._do, act)
        if self.seat.to_move and not self.idle and self._planned != plies:
            self._planned = plies
            self._later(self.script.think_s, self._move)

    def _later(self, delay_s: float, act: Callable[..., None], *arguments: object) -> None:
        loop = asyncio.get_running_loop()
        self._timers = [timer for timer in self._timers if timer.when() > loop.time()]
        self._timers.append(loop.call_later(delay_s, self._attempt, act, *arguments))

    def _attempt(self, act: Callable[..., None], *arguments: object) -> None:
        """Act, unless the game has ended meanwhile; what the rules refuse is skipped."""
        if self.seat.world.down:
            self._later(DOWN_WAIT_S, act, *arguments)
        elif self.seat.game.playable:
            try:
                act(*arguments)
            except ApiError as refused:
                logger.info("script of %s: %s", self.seat.game.players[self.seat.color].name, refused)
                self._planned = None
                asyncio.get_running_loop().call_soon(self.wake)

    def _reply(self) -> None:
        opponent = self.seat.game.players[not self.seat.color]
        if opponent.offers_takeback and self.script.takeback != "ignore":
            self.seat.takeback(self.script.takeback == "accept")
        if opponent.offers_draw and self.script.draw != "ignore":
            self.seat.draw(self.script.draw == "accept")

    def _move(self) -> None:
        self._planned = None
        if not self.seat.to_move or self.idle:
            return
        if self._next < len(self.script.moves):
            uci = self.script.moves[self._next]
            self._next += 1
            self.seat.move(uci)
        elif self.script.then == "resign":
            self.seat.resign()
        elif self.script.then != "idle":
            board = self.seat.game.board
            self.seat.move(board.uci(PICKERS[self.script.then](board, self.seat.game.rng)))

    def _do(self, act: Act) -> None:
        actions: dict[str, Callable[[], None]] = {
            "resign": self.seat.resign,
            "abort": self.seat.abort,
            "offer_draw": lambda: self.seat.draw(True),
            "offer_takeback": lambda: self.seat.takeback(True),
            "chat": lambda: self.seat.say(act.text, act.room),
            "leave": self.seat.leave,
            "come_back": self.seat.come_back,
            "claim_win": lambda: self.seat.claim(win=True),
            "give_time": lambda: self.seat.give_time(act.seconds),
            "idle": self._fall_idle,
        }
        actions[act.do]()

    def _fall_idle(self) -> None:
        self.idle = True

    def close(self) -> None:
        """Cancel what is planned; offer the rematch where the script wants one."""
        for timer in self._timers:
            timer.cancel()
        most = MANY_REMATCHES if self.script.rematch is True else int(self.script.rematch)
        if self.seat.world.rematches_before(self.seat.game) < most and not self.seat.world.down:
            asyncio.get_running_loop().call_soon(self._offer_rematch)

    def _offer_rematch(self) -> None:
        try:
            self.seat.world.offer_rematch(self.seat.game, self.seat.color)
        except ApiError as refused:
            logger.info("no rematch of %s: %s", self.seat.game.id, refused)
