"""From when a clock is counted on: the line that told it, or the move before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.play.game import Game
from bot.play.time_control import time_left_ms
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import ME, OTHER, full, game, state


@pytest.fixture
def harness() -> Iterator[GameHarness]:
    one = GameHarness()
    yield one
    one.loop.leave()
    assert one.loop.join(30)


def test_what_is_said_in_the_middle_of_a_turn_takes_no_time_twice(harness: GameHarness) -> None:
    moves = "e2e4 e7e5"
    harness.receive(full(state("e2e4", wtime_ms=60_000)), 100.0)
    harness.receive(state(moves, wtime_ms=60_000), 110.0)
    harness.receive(state(moves, wtime_ms=50_000, bdraw=True), 120.0)  # ten seconds later, and so it tells the clock
    game = harness.loop.game
    assert game is not None
    assert time_left_ms(game, 120.0) == 50_000
    assert time_left_ms(game, 121.0) == 49_000
    harness.receive(full(state(moves, wtime_ms=45_000)), 125.0)  # the stream was opened anew
    assert time_left_ms(game, 125.0) == 45_000
    assert game.turn_began_s == 110.0


def test_clocks_that_are_told_again_as_they_were_at_the_last_move_run_on(harness: GameHarness) -> None:
    moves = "e2e4 e7e5"
    harness.receive(full(state("e2e4", wtime_ms=60_000)), 100.0)
    harness.receive(state(moves, wtime_ms=60_000), 110.0)
    harness.receive(state(moves, wtime_ms=60_000, bdraw=True), 120.0)
    game = harness.loop.game
    assert game is not None
    assert time_left_ms(game, 120.0) == 50_000
    harness.receive(full(state(moves, wtime_ms=75_000)), 125.0)  # the opponent gave us time
    assert time_left_ms(game, 125.0) == 60_000


def test_a_move_that_a_reopened_stream_tells_may_have_been_made_when_the_old_one_fell_silent(
    harness: GameHarness,
) -> None:
    harness.receive(full(state("e2e4", wtime_ms=60_000)), 100.0)
    harness.receive(full(state("e2e4 e7e5", wtime_ms=60_000)), 108.0)
    game = harness.loop.game
    assert game is not None
    assert time_left_ms(game, 108.0) == 52_000


@pytest.mark.parametrize(
    ("played", "fields"),
    [
        ("", {}),  # the first move is free
        ("e2e4 e7e5 g1f3", {}),  # the time of the other player
        ("e2e4 e7e5", {"initial_ms": None, "increment_ms": None, "speed": "correspondence"}),
    ],
)
def test_where_no_clock_of_ours_runs_nothing_has_run_since(played: str, fields: dict[str, Any]) -> None:
    one = Game(full(state(played, wtime_ms=50_000), **fields), "bot88", 100.0, seconds_left=30)
    assert (one.turn_began_s, one.clocks_told_s) == (100.0, 100.0)


@pytest.mark.parametrize(
    ("white", "clocks", "told_s"),
    [
        (True, (50_000, 60_000), 120.0),  # it ran in the meantime, so it is told as it is now
        (True, (60_000, 60_000), 110.0),
        (True, (75_000, 60_000), 110.0),  # time was given
        (True, (60_000, 75_000), 110.0),
        (False, (60_000, 50_000), 120.0),
        (False, (60_000, 60_000), 110.0),
        (False, (60_000, 75_000), 110.0),
    ],
)
def test_a_clock_that_has_run_is_told_anew(white: bool, clocks: tuple[int, int], told_s: float) -> None:
    players, moves = ((ME, OTHER), "e2e4 e7e5") if white else ((OTHER, ME), "e2e4 e7e5 g1f3")
    one = game(state("e2e4"), white=players[0], black=players[1])
    one.apply(state(moves), 110.0)
    one.apply(state(moves, wtime_ms=clocks[0], btime_ms=clocks[1]), 120.0)
    assert (one.clocks_told_s, one.turn_began_s) == (told_s, 110.0)
