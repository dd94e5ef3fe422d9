"""What all games share."""

from __future__ import annotations

from bot.play.outbox import ENOUGH
from tests.helpers.game_harness import GameHarness


def test_the_floor_holds_until_the_lag_is_measured() -> None:
    context = GameHarness(clock={"min_overhead_ms": 40}).context
    assert context.overhead_ms == 40.0
    context.lag.add_round_trip(90.0)
    assert context.overhead_ms == 90.0
    for _ in range(ENOUGH - 1):
        context.lag.add_loss(5.0)
    assert context.overhead_ms == 40.0
    context.lag.add_loss(5.0)
    assert context.overhead_ms == 5.0
