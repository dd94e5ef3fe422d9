"""Time for a search: the share of the clock, the grace after `stop`, what is left for another engine."""

from __future__ import annotations

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool.search import SearchDeadline, acquire_timeout_s, remaining_limit, search_deadline


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limit(depth=5), None),
        (Limit(white_clock=100.0, black_clock=1.0), SearchDeadline(25.0, 1.0)),
        (Limit(white_clock=1.0, black_clock=100.0), SearchDeadline(0.25, 0.15)),
        (Limit(white_clock=4.0, black_clock=100.0), SearchDeadline(1.0, 0.6)),
        (Limit(white_clock=60.0, black_clock=60.0, white_inc=2.0, black_inc=9.0), SearchDeadline(17.0, 1.0)),
        (Limit(white_clock=2.0, black_clock=2.0, white_inc=2.0), SearchDeadline(1.4, 0.3)),
        (Limit(white_clock=10.0, black_clock=10.0, remaining_moves=1), SearchDeadline(7.0, 1.0)),
        (Limit(white_clock=10.0, black_clock=10.0, remaining_moves=2), SearchDeadline(2.5, 1.0)),
        (Limit(time=10.0), SearchDeadline(11.3, 4.0)),
        (Limit(time=0.6), SearchDeadline(0.96, 4.0)),  # a first move; a network may be loading
        (Limit(time=2.0, white_clock=100.0), SearchDeadline(2.5, 5.0)),
        (Limit(time=2.0, white_clock=24.0), SearchDeadline(2.5, 2.0)),
        (Limit(time=2.0, white_clock=6.0), SearchDeadline(1.5, 0.9)),
    ],
)
def test_deadline_follows_the_limit(limit: Limit, expected: SearchDeadline | None) -> None:
    found = search_deadline(limit, chess.WHITE)
    assert (found is None) == (expected is None)
    if found and expected:
        assert (found.stop_after_s, found.grace_s) == pytest.approx((expected.stop_after_s, expected.grace_s))


def test_black_has_its_own_clock_and_increment() -> None:
    limit = Limit(white_clock=1.0, black_clock=100.0, white_inc=9.0, black_inc=3.0)
    assert search_deadline(limit, chess.BLACK) == SearchDeadline(28.0, 1.0)


@pytest.mark.parametrize("clock_s", [600.0, 60.0, 10.0, 3.0])
def test_a_fault_leaves_the_clock_for_two_more(clock_s: float) -> None:
    left_s = clock_s
    for _ in range(3):
        deadline = search_deadline(Limit(white_clock=left_s, black_clock=1.0), chess.WHITE)
        assert deadline is not None
        left_s -= deadline.stop_after_s + deadline.grace_s
    assert left_s > 0.2 * clock_s


@pytest.mark.parametrize(
    ("limit", "has_alternative", "expected"),
    [
        (Limit(white_clock=60.0, black_clock=1.0), True, 5.0),
        (Limit(white_clock=60.0, black_clock=1.0), False, 7.5),
        (Limit(white_clock=3.0, black_clock=1.0), True, 0.5),
        (Limit(white_clock=0.5, black_clock=1.0), False, 0.5),
        (Limit(white_clock=3600.0, black_clock=1.0), True, 10.0),
        (Limit(time=1.0), True, 10.0),
        (Limit(time=1.0), False, 10.0),
    ],
)
def test_the_wait_for_a_process_follows_the_clock(limit: Limit, has_alternative: bool, expected: float) -> None:
    assert acquire_timeout_s(limit, chess.WHITE, has_alternative) == pytest.approx(expected)


def test_an_engine_that_was_waited_for_in_vain_gets_a_quarter_of_the_time() -> None:
    assert acquire_timeout_s(Limit(white_clock=60.0), chess.WHITE, False, overdue=True) == pytest.approx(7.5 / 4)


def test_remaining_takes_from_the_mover_alone() -> None:
    limit = Limit(white_clock=10.0, black_clock=10.0, white_inc=1.0, black_inc=2.0, depth=7, nodes=8, mate=9)
    limit.remaining_moves = 11
    left = remaining_limit(limit, chess.BLACK, 3.0)
    assert (left.white_clock, left.black_clock, left.white_inc, left.black_inc) == (10.0, 7.0, 1.0, 2.0)
    assert (left.depth, left.nodes, left.mate, left.remaining_moves, left.time) == (7, 8, 9, 11, None)
    assert remaining_limit(limit, chess.WHITE, 3.0).white_clock == 7.0


def test_remaining_never_ends() -> None:
    assert remaining_limit(Limit(white_clock=1.0, black_clock=1.0), chess.WHITE, 5.0).white_clock == 0.02
    assert remaining_limit(Limit(time=1.0), chess.WHITE, 5.0).time == pytest.approx(0.1)
    assert remaining_limit(Limit(time=0.1), chess.WHITE, 5.0).time == 0.02
