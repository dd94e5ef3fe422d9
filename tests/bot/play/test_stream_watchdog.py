"""Streams that are open and tell nothing."""

from __future__ import annotations

from itertools import pairwise

from bot.play.stream_watchdog import OPENING_S, QUIET_S, QUIET_SLOW_S, SILENT_S, StreamWatchdog
from tests.helpers.games import game


def test_a_stream_without_its_first_line_is_not_waited_for() -> None:
    watchdog = StreamWatchdog(0.0)
    watchdog.note_line(OPENING_S - 1, news=False)
    assert not watchdog.stale(OPENING_S, None)
    assert watchdog.stale(OPENING_S + 1, None)
    assert not watchdog.stale(OPENING_S + 2, None)  # the new one gets its time


def test_silence_is_worse_than_keep_alives() -> None:
    watchdog, one = StreamWatchdog(0.0), game()
    assert watchdog.stale(SILENT_S + 1, one)
    watchdog = StreamWatchdog(0.0)
    watchdog.note_line(7.0, news=False)
    assert not watchdog.stale(SILENT_S + 1, one)
    watchdog.note_line(14.0, news=False)
    assert watchdog.stale(QUIET_S + 1, one)


def test_reopenings_that_bring_no_news_come_ever_later() -> None:
    watchdog, one, now, reopenings = StreamWatchdog(0.0), game(), 0.0, []
    while now < 200:
        now += 1.0
        watchdog.note_line(now, news=False)
        if watchdog.stale(now, one):
            reopenings.append(now)
    gaps = [later - earlier for earlier, later in pairwise(reopenings)]
    assert gaps == sorted(gaps)
    assert len(reopenings) <= 4
    watchdog.note_line(now, news=True)
    watchdog.note_line(now + QUIET_S, news=False)
    assert watchdog.stale(now + QUIET_S + 1, one)


def test_long_games_are_in_no_hurry() -> None:
    watchdog = StreamWatchdog(0.0)
    slow = game(initial_ms=None, increment_ms=None, speed="correspondence")
    watchdog.note_line(QUIET_SLOW_S, news=False)
    assert not watchdog.stale(QUIET_SLOW_S, slow)
    assert watchdog.stale(QUIET_SLOW_S + 1, slow)


def test_the_line_before_is_remembered() -> None:
    watchdog = StreamWatchdog(3.0)
    assert watchdog.note_line(5.0, news=True) == 3.0
    assert watchdog.note_line(6.0, news=False) == 5.0
