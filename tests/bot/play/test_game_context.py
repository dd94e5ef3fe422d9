"""What all games share."""

from __future__ import annotations

import chess.engine

from bot.events import GameInfo, Player
from bot.play.game_context import no_sources
from bot.play.lag import ENOUGH
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import game


def test_the_floor_holds_until_the_lag_is_measured() -> None:
    context = GameHarness(clock={"min_overhead_ms": 40}).context
    assert context.overhead_ms == 40.0
    context.lag.saw_round_trip(90.0)
    assert context.overhead_ms == 90.0
    for _ in range(ENOUGH - 1):
        context.lag.saw_loss(5.0)
    assert context.overhead_ms == 40.0
    context.lag.saw_loss(5.0)
    assert context.overhead_ms == 5.0


def test_a_game_runs_when_the_server_lists_it() -> None:
    table = GameHarness()
    table.server.ongoing = (GameInfo("abcdefgh", "white", Player("alice", "Alice")),)
    assert table.context.is_ongoing("abcdefgh")
    assert not table.context.is_ongoing("other000")


def test_without_sources_the_engine_alone_chooses() -> None:
    assert no_sources(game(), chess.engine.Limit(time=1.0)) is None
