"""The waits between attempts."""

from __future__ import annotations

import pytest

from bot.backoff import Backoff, Pacer, exponential_s, is_worth_a_line


def test_waits_double_up_to_the_most_and_are_scattered() -> None:
    backoff = Backoff(1.0, 60.0, seed=1)
    waits = [backoff.next_s() for _ in range(12)]
    for index, wait in enumerate(waits):
        nominal = min(60.0, 2.0**index)
        assert 0.5 * nominal <= wait <= 1.5 * nominal
    assert len(set(waits)) == len(waits)


def test_a_success_starts_again_from_the_shortest_wait() -> None:
    backoff = Backoff(1.0, 60.0)
    for _ in range(8):
        backoff.next_s()
    assert backoff.failures == 8
    backoff.reset()
    assert backoff.failures == 0
    assert backoff.next_s() <= 1.5


def test_the_first_attempts_may_follow_at_once() -> None:
    backoff = Backoff(0.2, 3.0, immediate=2, jitter=0.0)
    assert [backoff.next_s() for _ in range(5)] == [0.0, 0.0, 0.2, 0.4, 0.8]


def test_what_the_server_asks_for_is_never_undercut() -> None:
    backoff = Backoff(0.1, 1.0, jitter=0.2)
    waits = [backoff.next_s(least_s=5.0) for _ in range(20)]
    assert all(5.0 <= wait <= 5.5 for wait in waits)
    assert len(set(waits)) > 1


def test_a_thousand_failures_do_not_overflow() -> None:
    backoff = Backoff(0.5, 30.0, jitter=0.0)
    for _ in range(2000):
        assert backoff.next_s() <= 30.0


def test_a_pacer_lets_a_burst_through_and_then_one_at_a_time() -> None:
    pacer = Pacer(4.0, 8)
    waits = [pacer.delay_s(100.0, urgent=True) for _ in range(12)]
    assert waits[:8] == [0.0] * 8
    assert waits[8:] == [0.25, 0.5, 0.75, 1.0]
    assert pacer.delay_s(200.0, urgent=True) == 0.0


def test_a_pacer_keeps_half_of_the_burst_for_the_urgent() -> None:
    pacer = Pacer(4.0, 9)
    waits = [pacer.delay_s(100.0, urgent=False) for _ in range(6)]
    assert waits == [0.0] * 5 + [0.25]
    assert pacer.delay_s(100.0, urgent=True) == 0.0


def test_a_pacer_bounds_the_long_run() -> None:
    pacer, now_s = Pacer(4.0, 8), 100.0
    for _ in range(400):
        now_s += pacer.delay_s(now_s, urgent=True)
    assert now_s - 100.0 >= (400 - 8) / 4.0 - 1e-6


def test_urgent_attempts_do_not_queue_behind_others() -> None:
    pacer = Pacer(4.0, 8)
    for _ in range(100):
        pacer.delay_s(100.0, urgent=False)
    assert [pacer.delay_s(100.0, urgent=True) for _ in range(9)] == [0.0] * 8 + [0.25]
    assert pacer.delay_s(100.0, urgent=False) > 100 / 4.0


def test_of_failures_in_a_row_ever_fewer_are_told() -> None:
    assert [times for times in range(1, 40) if is_worth_a_line(times)] == [1, 2, 4, 8, 16, 32]


def test_the_nominal_wait_doubles_from_the_first_to_the_most() -> None:
    assert [exponential_s(0.3, 5.0, failures) for failures in (0, 1, 2, 3, 4, 5, 5000)] == [
        0.3,
        0.6,
        1.2,
        2.4,
        4.8,
        5.0,
        5.0,
    ]


def test_waits_are_scattered_by_half_to_both_sides_unless_told_otherwise() -> None:
    waits = [backoff.next_s() for backoff in (Backoff(1.0, seed=seed) for seed in range(500))]
    assert 0.5 <= min(waits) < 0.55
    assert 1.45 < max(waits) <= 1.5


def test_more_than_the_server_asks_for_is_waited_by_up_to_half_the_jitter() -> None:
    waits = [Backoff(0.1, 1.0, jitter=0.4, seed=seed).next_s(least_s=10.0) for seed in range(500)]
    assert 10.0 <= min(waits) < 10.2
    assert 11.8 < max(waits) <= 12.0


@pytest.mark.parametrize(("burst", "at_once", "then_s"), [(8, 4, 0.125), (9, 5, 0.25), (1, 1, 0.25)])
def test_those_who_can_wait_begin_to_wait_at_half_of_the_burst(burst: int, at_once: int, then_s: float) -> None:
    pacer = Pacer(4.0, burst)
    waits = [pacer.delay_s(100.0, urgent=False) for _ in range(at_once + 2)]
    assert waits == [0.0] * at_once + [then_s, then_s + 0.25]


def test_a_long_quiet_time_saves_up_no_more_than_the_burst() -> None:
    pacer = Pacer(2.0, 3)
    for now_s in (1.0, 1e6):
        assert [pacer.delay_s(now_s, urgent=True) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
