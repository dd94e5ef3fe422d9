"""What all games share."""

from __future__ import annotations

import chess.engine

from bot.events import GameExport
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


def test_a_game_runs_until_its_export_says_otherwise_whatever_the_list_shows() -> None:
    harness = GameHarness()
    harness.server.exports["other000"] = GameExport("other000", "resign", "white")
    assert harness.server.ongoing == ()
    assert harness.context.is_ongoing("abcdefgh")
    assert not harness.context.is_ongoing("other000")


def test_without_sources_the_engine_alone_chooses() -> None:
    assert no_sources(game(), chess.engine.Limit(time=1.0)) is None
