"""Clocks: free first plies, increments, flags, takebacks, correspondence, unlimited."""

from __future__ import annotations

import chess
import pytest

from bot.fake_lichess.world.clocks import DAY_MS, UNLIMITED_MS, GameClock, TimeControl


def started(limit_ms: int = 60_000, increment_ms: int = 2_000) -> GameClock:
    """A clock after the two free plies, at time 10 000, White to move."""
    clock = GameClock(TimeControl(limit_ms, increment_ms), chess.WHITE, 0)
    clock.press(4_000)
    clock.press(10_000)
    return clock


def test_the_first_two_plies_cost_nothing_earn_no_increment_and_do_not_flag() -> None:
    clock = started()
    assert clock.remaining_ms(chess.WHITE, 10_000) == clock.remaining_ms(chess.BLACK, 10_000) == 60_000
    assert clock.running == chess.WHITE
    slow = GameClock(TimeControl(1_000, 0), chess.WHITE, 0)
    assert slow.flag_in_ms(5_000_000) is None
    slow.press(5_000_000)
    assert slow.flag_in_ms(9_000_000) is None


def test_a_move_takes_its_time_and_adds_the_increment() -> None:
    clock = started()
    clock.press(15_500)
    assert clock.remaining_ms(chess.WHITE, 99_999) == 60_000 - 5_500 + 2_000
    assert clock.remaining_ms(chess.BLACK, 16_500) == 59_000, "the running side's time is live"


def test_the_flag_falls_when_the_time_is_used_up() -> None:
    clock = started()
    assert clock.flag_in_ms(10_000) == 60_000
    assert clock.flag_in_ms(70_000) == 0
    assert clock.remaining_ms(chess.WHITE, 80_000) == 0


def test_a_takeback_restores_the_times_of_that_ply() -> None:
    clock = started()
    clock.press(15_500)
    clock.press(20_000)
    clock.take_back(2, 30_000)
    assert clock.running == chess.WHITE
    assert clock.remaining_ms(chess.WHITE, 30_000) == 60_000
    assert clock.remaining_ms(chess.BLACK, 30_000) == 60_000
    clock.take_back(1, 31_000)
    assert clock.running is None, "back in the free plies"


def test_stopping_freezes_both_times() -> None:
    clock = started()
    clock.stop(12_000)
    assert clock.remaining_ms(chess.WHITE, 99_000) == 58_000
    assert clock.flag_in_ms(99_000) is None


def test_the_history_lists_the_movers_time_after_each_ply() -> None:
    clock = started()
    clock.press(15_000)
    clock.press(16_000)
    assert clock.history_ms() == [60_000, 60_000, 57_000, 61_000]


def test_a_correspondence_clock_runs_from_the_creation_and_a_move_renews_the_days() -> None:
    clock = GameClock(TimeControl(days=1), chess.WHITE, 1_000)
    assert clock.flag_in_ms(11_000) == DAY_MS - 10_000
    clock.press(DAY_MS)
    assert clock.remaining_ms(chess.WHITE, 2 * DAY_MS) == DAY_MS
    assert clock.remaining_ms(chess.BLACK, DAY_MS + 5_000) == DAY_MS - 5_000
    assert clock.flag_in_ms(DAY_MS) == DAY_MS


def test_an_unlimited_game_shows_the_largest_number_and_never_flags() -> None:
    clock = GameClock(TimeControl(), chess.WHITE, 0)
    for at in (1, 2, 3):
        clock.press(at)
    assert clock.remaining_ms(chess.BLACK, 10**6) == UNLIMITED_MS
    assert clock.flag_in_ms(10**9) is None


def test_a_clock_of_zero_starts_with_its_increment_or_three_seconds() -> None:
    times = [GameClock(TimeControl(0, inc), chess.WHITE, 0).remaining_ms(chess.WHITE, 0) for inc in (1_000, 5_000)]
    assert times == [3_000, 5_000]


def test_given_time_goes_to_real_time_clocks_only() -> None:
    clock, letter = started(), GameClock(TimeControl(days=1), chess.WHITE, 0)
    clock.add(chess.BLACK, 15_000)
    letter.add(chess.BLACK, 15_000)
    assert clock.remaining_ms(chess.BLACK, 10_000) == 75_000
    assert letter.remaining_ms(chess.BLACK, 10_000) == DAY_MS  # White's clock runs


@pytest.mark.parametrize(
    ("limit_ms", "increment_ms", "left"), [(60_000, 0, 30_000), (60_000, 1_000, 30_000), (60_000, 2_000, 60_000)]
)
def test_berserk_halves_the_time_unless_the_increment_is_most_of_it(
    limit_ms: int, increment_ms: int, left: int
) -> None:
    clock = GameClock(TimeControl(limit_ms, increment_ms), chess.WHITE, 0)
    clock.berserk(chess.WHITE)
    assert (clock.remaining_ms(chess.WHITE, 0), clock.remaining_ms(chess.BLACK, 0)) == (left, limit_ms)
    for _ in range(4):
        clock.press(0)
    assert clock.remaining_ms(chess.WHITE, 0) == left, "and there is no increment any more"
    assert clock.remaining_ms(chess.BLACK, 0) == limit_ms + increment_ms
