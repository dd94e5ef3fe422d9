"""The conduct of one game between a server that records and an engine that answers on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.play.conduct import Conduct
from tests.helpers.ending import closed_at_end
from tests.helpers.game_harness import GameHarness, level_of
from tests.helpers.processes import wait_until


def make_conduct(
    refresh: Callable[[float], bool] = lambda _timeout_s: True, *, over: bool = False, **settings: Any
) -> tuple[GameHarness, Conduct]:
    """A harness and manners of these settings, without contempt for anybody."""
    draw = {"contempt": False} | settings.pop("draw", {})
    harness = GameHarness(conduct=settings | {"draw": draw})
    conduct = Conduct("abcdefgh", harness.context, lambda: over, level_of(harness), refresh)
    return harness, closed_at_end(conduct)


def requested(harness: GameHarness, *words: str) -> bool:
    """Wait until the server has heard it."""
    return wait_until(lambda: words in harness.server.said)


def nothing_asked(harness: GameHarness, conduct: Conduct) -> bool:
    """Whether the server has heard nothing and nothing waits to be sent."""
    return not conduct._actions._names and not harness.server.said  # in this order: a request is noted before it ends
