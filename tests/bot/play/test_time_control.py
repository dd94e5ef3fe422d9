"""Clocks, and how long the engine may think."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.events.game import UNLIMITED_MS
from bot.play.game import Game
from bot.play.time_control import (
    FLOOR_MS,
    LONGEST_PAUSE_S,
    SHORTEST_S,
    earliest_move_s,
    limit_for,
    thinking_clock,
    time_left_ms,
)
from bot.settings import Settings
from tests.helpers.examples import scaled
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import ME, OTHER, full, game, state

PLAIN = Settings()


def test_the_clock_is_ours_less_what_has_run_and_the_lag() -> None:
    one = game(state("e2e4 e7e5", wtime_ms=40_000, btime_ms=50_000, winc_ms=2_000, binc_ms=2_000), now_s=100.0)
    limit = limit_for(one, 101.0, 100.0, PLAIN)
    assert limit.white_clock == pytest.approx(38.9)
    assert limit.white_inc == pytest.approx(1.9)
    assert limit.black_clock == 50.0
    assert limit.black_inc == 2.0
    assert limit.time is None


def test_black_reads_its_own_clock() -> None:
    one = game(state("e2e4 e7e5 d2d4", wtime_ms=9_000, btime_ms=50_000), white=OTHER, black=ME)
    limit = limit_for(one, 100.0, 0.0, PLAIN)
    assert limit.black_clock == 50.0
    assert limit.white_clock == 9.0


def test_lag_without_increment_is_set_aside_for_the_moves_to_come() -> None:
    clock, increment = thinking_clock(60_000, 0, 200)
    assert clock == pytest.approx(60_000 - 26 * 200)
    assert increment == 0.0


def test_a_slow_network_leaves_time_to_think() -> None:
    clock, _ = thinking_clock(30_000, 0, 2_000)
    assert clock >= 30_000 * 0.39


@settings(max_examples=scaled(200), deadline=None)
@given(clock=st.floats(0, 11_000_000), increment=st.integers(0, 180_000), overhead=st.floats(0, 5_000, allow_nan=False))
def test_never_more_than_there_is_and_never_nothing(clock: float, increment: int, overhead: float) -> None:
    usable, gain = thinking_clock(clock, increment, overhead)
    assert FLOOR_MS <= usable <= max(FLOOR_MS, clock - overhead)
    assert 0 <= gain <= increment


@pytest.mark.parametrize(
    ("initial_ms", "increment_ms", "clock_ms", "expected_s"),
    [
        (60_000, 0, 60_000, 0.6),
        (60_000, 1_000, 60_000, 1.0),
        (30_000, 0, 30_000, 0.3),
        (3_000, 1_000, 3_000, 0.43),
        (1_000, 0, 1_000, 0.1),
        (3_600_000, 0, 3_600_000, 2.0),
        (10_800_000, 180_000, 10_800_000, 2.0),
        (60_000, 0, 150_000, 0.6),  # the size of the game is its limit
        (0, 0, 40_000, 0.4),  # ... or, where that is nothing, the clock
    ],
)
def test_the_free_first_move_takes_a_hundredth_of_the_game_within_bounds(
    initial_ms: int, increment_ms: int, clock_ms: int, expected_s: float
) -> None:
    one = game(state(wtime_ms=clock_ms, winc_ms=increment_ms), initial_ms=initial_ms, increment_ms=increment_ms)
    limit = limit_for(one, 100.0, 50.0, PLAIN)
    assert limit.time == pytest.approx(expected_s)
    assert limit.white_clock is None


def test_correspondence_thinks_as_configured_but_not_the_last_hour_away() -> None:
    slow: dict[str, Any] = {"initial_ms": None, "increment_ms": None, "speed": "correspondence"}
    days = state("e2e4 e7e5", wtime_ms=3 * 86_400_000, btime_ms=3 * 86_400_000)
    assert limit_for(game(days, **slow), 100.0, 50.0, PLAIN).time == PLAIN.correspondence.think_s
    last_minute = game(state("e2e4 e7e5", wtime_ms=60_000), **slow)
    assert limit_for(last_minute, 100.0, 2_000.0, PLAIN).time == pytest.approx(2.9)
    unlimited = state("e2e4 e7e5", wtime_ms=UNLIMITED_MS, btime_ms=UNLIMITED_MS)
    assert limit_for(game(unlimited, **slow), 100.0, 50.0, PLAIN).time == PLAIN.correspondence.think_s


def test_no_setting_makes_a_limit_without_limit() -> None:
    hasty = Settings.model_validate({"clock": {"max_move_s": 0.0}})
    for one in (game(), game(state("e2e4 e7e5"))):
        assert limit_for(one, 100.0, 0.0, hasty).time == SHORTEST_S


def test_rules_and_caps_come_on_top_of_the_clocks() -> None:
    configured = Settings.model_validate(
        {"rules": [{"speeds": "bullet", "depth": 3, "nodes": 500, "move_time_s": 1.5}], "clock": {"max_move_s": 1.0}}
    )
    limit = limit_for(game(state("e2e4 e7e5")), 100.0, 0.0, configured)
    assert (limit.depth, limit.nodes, limit.time) == (3, 500, 1.0)
    assert limit.white_clock == 60.0


@pytest.mark.parametrize(
    ("share", "rule", "played", "expected_s"),
    [
        (0.0, None, "e2e4 e7e5", 0.0),
        (0.02, None, "e2e4 e7e5", 101.2),
        (0.02, 0.0, "e2e4 e7e5", 0.0),
        (0.0, 0.05, "e2e4 e7e5", 103.0),
        (0.05, None, "", 0.0),  # the clocks do not run yet
    ],
)
def test_moves_may_take_a_share_of_the_clock(share: float, rule: float | None, played: str, expected_s: float) -> None:
    one = game(state(played))
    one.turn_began_s = 100.0
    rules = [] if rule is None else [{"min_move_share": rule}]
    settings = Settings.model_validate({"clock": {"min_move_share": share}, "rules": rules})
    assert earliest_move_s(one, settings) == pytest.approx(expected_s)


def test_in_a_game_of_days_no_move_is_held_back() -> None:
    slow = game(state("e2e4 e7e5"), initial_ms=None, increment_ms=None, speed="correspondence")
    assert earliest_move_s(slow, Settings.model_validate({"clock": {"min_move_share": 0.05}})) == 0.0


def test_no_share_of_the_clock_holds_a_move_back_for_long() -> None:
    one = game(state("e2e4 e7e5", wtime_ms=10_800_000))
    one.turn_began_s = 100.0
    assert earliest_move_s(one, Settings.model_validate({"clock": {"min_move_share": 0.05}})) == 100.0 + LONGEST_PAUSE_S


def test_what_is_said_in_the_middle_of_a_turn_takes_no_time_twice() -> None:
    harness, moves = GameHarness(), "e2e4 e7e5"
    harness.receive(full(state("e2e4", wtime_ms=60_000)), 100.0)
    harness.receive(state(moves, wtime_ms=60_000), 110.0)
    harness.receive(state(moves, wtime_ms=50_000, bdraw=True), 120.0)  # ten seconds later, and so it shows the clock
    assert time_left_ms(harness.game, 120.0) == 50_000
    assert time_left_ms(harness.game, 121.0) == 49_000
    harness.receive(full(state(moves, wtime_ms=45_000)), 125.0)  # the stream was reopened
    assert time_left_ms(harness.game, 125.0) == 45_000
    assert harness.game.turn_began_s == 110.0


def test_the_opponent_has_waited_only_since_the_reopened_stream_tells_our_move() -> None:
    harness = GameHarness()
    harness.receive(full(state("", wtime_ms=60_000)), 100.0)
    harness.receive(full(state("e2e4", wtime_ms=60_000)), 136.0)
    assert (harness.game.turn_began_s, harness.game.clocks_told_s) == (136.0, 136.0)


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
        (True, (50_000, 60_000), 120.0),  # it ran in the meantime, so it is shown as it is now
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
