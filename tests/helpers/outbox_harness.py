"""An outbox between a game and a server that the test plays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.play import outbox
from bot.play.observer import Observers
from bot.play.outbox import LagMeter, Outbox, PostedMove
from tests.helpers.ending import closed_at_end
from tests.helpers.games import game, state
from tests.helpers.processes import wait_until

BEFORE = "e2e4 e7e5 g1f3 b8c6"


class OutboxHarness:
    """An outbox; each POST takes the next step of a script, then all succeed. The game is at White's third move."""

    def __init__(self, *script: Exception | Callable[[], object]) -> None:
        self.script = list(script)
        self.posts: list[tuple[str, bool]] = []
        self.reopened = 0
        self.lag = LagMeter()
        self.game = game(state("e2e4 e7e5 g1f3"))
        self.game.apply(state(BEFORE), 100.0)
        self.outbox = closed_at_end(Outbox("abcdefgh", self.post, self.reopen, self.lag, Observers()))
        self.outbox.start()

    def post(self, uci: str, offering_draw: bool) -> None:
        """One attempt."""
        self.posts.append((uci, offering_draw))
        step = self.script.pop(0) if self.script else None
        if isinstance(step, Exception):
            raise step
        if step is not None:
            step()

    def reopen(self, _why: str) -> None:
        """The stream is not trusted."""
        self.reopened += 1

    def send(self, uci: str = "f1b5", *, offering_draw: bool = False) -> PostedMove:
        """Send a move."""
        return self.outbox.send(self.game, uci, offering_draw=offering_draw)

    def show(self, moves: str) -> None:
        """The stream shows these moves besides the first four."""
        self.game.apply(state(f"{BEFORE} {moves}"), 101.0)
        self.outbox.settle(self.game)

    def posted(self, count: int) -> bool:
        """Wait for so many posts."""
        return wait_until(lambda: len(self.posts) >= count)


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no failure be waited for."""
    monkeypatch.setattr(outbox, "LIMITED_S", 0.05)
    for name in ("RETRY_FIRST_S", "RETRY_MOST_S", "REFUSED_FIRST_S", "REFUSED_MOST_S"):
        monkeypatch.setattr(outbox, name, 0.02)
