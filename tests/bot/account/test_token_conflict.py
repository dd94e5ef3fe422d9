"""A second program with our token is told from a restart of the server."""

from __future__ import annotations

import pytest

from bot.account.token_conflict import CONFLICT_AFTER, SHORT_LIVED_S, TokenConflict


def test_clean_ends_in_a_row_soon_after_opening_are_a_conflict() -> None:
    conflict = TokenConflict()
    conflict.ended_cleanly(3600.0)
    for _ in range(CONFLICT_AFTER - 1):
        assert not conflict.suspected
        conflict.ended_cleanly(5.0)
    assert conflict.suspected


def test_two_graceful_restarts_in_a_row_are_none() -> None:
    conflict = TokenConflict()
    for _ in range(2):
        conflict.ended_cleanly(10.0)
        conflict.failed()  # the server is away for a moment
    conflict.ended_cleanly(10.0)
    conflict.ended_cleanly(10.0)
    assert not conflict.suspected


def test_a_stream_that_stays_open_ends_the_suspicion() -> None:
    conflict = TokenConflict()
    for _ in range(CONFLICT_AFTER):
        conflict.ended_cleanly(1.0)
    assert conflict.suspected
    conflict.stayed_open(SHORT_LIVED_S - 1)
    assert conflict.suspected
    conflict.stayed_open(SHORT_LIVED_S)
    assert not conflict.suspected


@pytest.mark.parametrize(
    ("lived_s", "suspected"), [(SHORT_LIVED_S * 2, False), (SHORT_LIVED_S, False), (SHORT_LIVED_S - 1.0, True)]
)
def test_ends_far_apart_are_no_conflict(lived_s: float, suspected: bool) -> None:
    conflict = TokenConflict()
    for _ in range(10):
        conflict.ended_cleanly(lived_s)
    assert conflict.suspected is suspected
