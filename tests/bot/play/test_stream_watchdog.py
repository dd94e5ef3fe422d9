"""Streams that are open and tell nothing."""

from __future__ import annotations

from itertools import pairwise

from bot.play.stream_watchdog import OPENING_S, QUIET_S, QUIET_SLOW_S, SILENT_S, StreamWatchdog
from tests.helpers.games import game


def test_a_stream_without_its_first_line_is_not_waited_for() -> None:
    fresh = StreamWatchdog(0.0)
    fresh.heard(OPENING_S - 1, news=False)
    assert not fresh.stale(OPENING_S, None)
    assert fresh.stale(OPENING_S + 1, None)
    assert not fresh.stale(OPENING_S + 2, None)  # the new one gets its time


def test_silence_is_worse_than_keep_alives() -> None:
    fresh, one = StreamWatchdog(0.0), game()
    assert fresh.stale(SILENT_S + 1, one)
    fresh = StreamWatchdog(0.0)
    fresh.heard(7.0, news=False)
    assert not fresh.stale(SILENT_S + 1, one)
    fresh.heard(14.0, news=False)
    assert fresh.stale(QUIET_S + 1, one)


def test_looks_that_bring_no_news_come_ever_later() -> None:
    fresh, one, now, looks = StreamWatchdog(0.0), game(), 0.0, []
    while now < 200:
        now += 1.0
        fresh.heard(now, news=False)
        if fresh.stale(now, one):
            looks.append(now)
    gaps = [later - earlier for earlier, later in pairwise(looks)]
    assert gaps == sorted(gaps)
    assert len(looks) <= 4
    fresh.heard(now, news=True)
    fresh.heard(now + QUIET_S, news=False)
    assert fresh.stale(now + QUIET_S + 1, one)


def test_long_games_are_in_no_hurry() -> None:
    fresh = StreamWatchdog(0.0)
    slow = game(initial_ms=None, increment_ms=None, speed="correspondence")
    fresh.heard(QUIET_SLOW_S, news=False)
    assert not fresh.stale(QUIET_SLOW_S, slow)
    assert fresh.stale(QUIET_SLOW_S + 1, slow)


def test_the_line_before_is_remembered() -> None:
    fresh = StreamWatchdog(3.0)
    assert fresh.heard(5.0, news=True) == 3.0
    assert fresh.heard(6.0, news=False) == 5.0
