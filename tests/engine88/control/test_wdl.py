"""Expectations add up, mirror, and rise with the score."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine88.control.reports import wdl_of_mate, wdl_of_score
from tests.helpers.examples import scaled

SCORES = st.integers(-32000, 32000)


@given(SCORES)
@settings(deadline=None, max_examples=scaled(200))
def test_they_add_up_and_mirror(score: int) -> None:
    ours, theirs = wdl_of_score(score), wdl_of_score(-score)
    assert ours.win + ours.draw + ours.loss == 1000
    assert min(ours.win, ours.draw, ours.loss) >= 0
    assert (ours.win, ours.draw, ours.loss) == (theirs.loss, theirs.draw, theirs.win)


@given(SCORES, SCORES)
@settings(deadline=None, max_examples=scaled(200))
def test_a_better_score_wins_more(one: int, two: int) -> None:
    low, high = sorted((one, two))
    assert wdl_of_score(low).win <= wdl_of_score(high).win


def test_a_mate_is_certain() -> None:
    assert wdl_of_mate(3).win == 1000
    assert wdl_of_mate(-3).loss == 1000


def test_level_is_mostly_drawn_and_a_rook_wins() -> None:
    assert wdl_of_score(0).draw > 500
    assert wdl_of_score(500).win > 950
