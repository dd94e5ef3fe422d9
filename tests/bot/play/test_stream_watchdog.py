"""Streams that are open and send nothing."""

from __future__ import annotations

import pytest

from bot.play.game_stream import OPENING_S, SILENT_S, StreamWatchdog


@pytest.mark.parametrize(("opened", "patience_s"), [(False, OPENING_S), (True, SILENT_S)])
def test_a_silent_stream_is_stale_after_a_while_and_the_next_one_gets_its_time(opened: bool, patience_s: float) -> None:
    watchdog = StreamWatchdog(1000.0)
    for began_s in (1000.0, 1000.1 + patience_s):
        assert not watchdog.stale(began_s + patience_s, opened=opened)
        assert watchdog.stale(began_s + patience_s + 0.1, opened=opened)


def test_keep_alives_are_enough() -> None:
    watchdog = StreamWatchdog(0.0)
    for now_s in range(7, 700, 7):
        watchdog.note_line(float(now_s))
        assert not watchdog.stale(now_s + 7.0, opened=True)


def test_the_line_before_is_remembered() -> None:
    watchdog = StreamWatchdog(3.0)
    assert watchdog.note_line(5.0) == 3.0
    assert watchdog.note_line(6.0) == 5.0
