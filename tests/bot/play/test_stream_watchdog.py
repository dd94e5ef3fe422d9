"""Streams that are open and tell nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.play.stream_watchdog import OPENING_S, QUIET_S, QUIET_SLOW_S, SILENT_S, StreamWatchdog
from tests.helpers.games import game, state


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


@pytest.mark.parametrize(
    ("clock_ms", "patience_s"), [(60_000, QUIET_S), (600_000, QUIET_S), (1_200_000, 30.0), (10_800_000, 270.0)]
)
def test_keep_alives_alone_are_borne_for_a_share_of_the_clock_then_twice_as_long(
    clock_ms: int, patience_s: float
) -> None:
    watchdog, one, began_s = StreamWatchdog(1000.0), game(state(wtime_ms=clock_ms)), 1000.0
    for factor in (1, 2, 4):
        quiet_s = began_s + factor * patience_s
        watchdog.note_line(quiet_s, news=False)
        assert not watchdog.stale(quiet_s, one), factor
        assert watchdog.stale(quiet_s + 0.1, one), factor
        began_s = quiet_s + 0.1


def test_a_silent_stream_is_borne_so_long() -> None:
    watchdog, one = StreamWatchdog(1000.0), game()
    assert not watchdog.stale(1000.0 + SILENT_S, one)
    assert watchdog.stale(1000.1 + SILENT_S, one)
