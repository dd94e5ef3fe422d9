"""What a long run says: the speed of the last minutes, and the time that is left at that speed."""

from __future__ import annotations

import pytest

from engine88.training.selfplay.progress import EVERY_S, Progress, duration


def test_speed_and_time_left_count_from_the_first_result() -> None:
    now_s = [100.0]
    progress = Progress(1000, lambda: now_s[0])
    assert not progress.is_due(500, 50_000)  # a run that is gone on with
    now_s[0] += EVERY_S / 2
    assert not progress.is_due(505, 50_500)
    now_s[0] += EVERY_S / 2
    assert progress.is_due(600, 60_000)
    assert progress.line() == "600 of 1,000 games, 60,000 positions, 1,000 positions/s (3.60 M an hour), 40 s left"
    assert not progress.is_due(601, 60_100)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59, "59 s"), (61, "1 min 01 s"), (3600 * 26 + 125, "26 h 02 min")]
)
def test_durations_for_people(seconds: float, text: str) -> None:
    assert duration(seconds) == text
