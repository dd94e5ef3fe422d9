"""What all games share."""

from __future__ import annotations

import chess.engine

from bot.play.game_context import no_sources
from bot.play.lag import ENOUGH
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import game


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


def test_without_sources_the_engine_alone_chooses() -> None:
    assert no_sources(game(), chess.engine.Limit(time=1.0)) is None
