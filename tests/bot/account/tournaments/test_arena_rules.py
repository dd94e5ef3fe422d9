"""What is done about an arena: a table of cases, and no arena that makes a decision raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.account.tournaments.arena_rules import LAST_CALL_S, LOOK_EVERY_S, Decision, Situation, Step, decide
from bot.lichess.values import Arena
from bot.settings import TournamentSettings

SETTINGS = TournamentSettings(join_before_s=600.0, ask_again_s=30.0)
FAR, SOON = Arena("a", "A", starts_in_s=3600), Arena("a", "A", starts_in_s=50)
OPEN, LAST = Arena("a", "A", finishes_in_s=1000), Arena("a", "A", finishes_in_s=int(LAST_CALL_S) - 1)
OVER = Arena("a", "A", finished=True)


@pytest.mark.parametrize(
    ("arena", "now", "expected"),
    [
        # before the start
        (FAR, Situation(), Decision(Step.WAIT, LOOK_EVERY_S)),
        (Arena("a", "A", starts_in_s=660), Situation(), Decision(Step.WAIT, 60.0)),
        (SOON, Situation(), Decision(Step.JOIN, 51.0)),
        (Arena("a", "A", starts_in_s=600), Situation(), Decision(Step.JOIN, LOOK_EVERY_S)),
        (Arena("a", "A", starts_in_s=601), Situation(), Decision(Step.WAIT, 1.0)),
        (SOON, Situation(joined=True), Decision(Step.WAIT, 51.0)),
        (Arena("a", "A", starts_in_s=0), Situation(joined=True), Decision(Step.WAIT, 1.0)),
        # while it runs
        (OPEN, Situation(), Decision(Step.PAIR, 30.0)),
        (OPEN, Situation(joined=True, since_asked_s=None), Decision(Step.PAIR, 30.0)),
        (OPEN, Situation(joined=True, since_asked_s=10.0), Decision(Step.WAIT, 20.0)),
        (OPEN, Situation(joined=True, since_asked_s=30.0), Decision(Step.PAIR, 30.0)),
        (OPEN, Situation(joined=False, since_asked_s=1.0), Decision(Step.PAIR, 30.0)),
        (OPEN, Situation(joined=True, playing=True), Decision(Step.WAIT, 30.0)),
        (OPEN, Situation(has_slot=False), Decision(Step.WAIT, 30.0)),
        (Arena("a", "A"), Situation(), Decision(Step.PAIR, 30.0)),  # a server that does not tell the end
        (LAST, Situation(joined=True), Decision(Step.WAIT, LAST_CALL_S)),
        (Arena("a", "A", finishes_in_s=int(LAST_CALL_S)), Situation(), Decision(Step.PAIR, 30.0)),
        # paused or ending
        (OPEN, Situation(joined=True, wanted=False), Decision(Step.LEAVE, 30.0)),
        (OPEN, Situation(joined=True, playing=True, wanted=False), Decision(Step.LEAVE, 30.0)),
        (SOON, Situation(joined=True, wanted=False), Decision(Step.LEAVE, 30.0)),
        (OPEN, Situation(wanted=False), Decision(Step.WAIT, 30.0)),
        # over
        (OVER, Situation(joined=True), Decision(Step.DONE, LOOK_EVERY_S)),
        (OVER, Situation(wanted=False), Decision(Step.DONE, LOOK_EVERY_S)),
    ],
)
def test_what_is_done(arena: Arena, now: Situation, expected: Decision) -> None:
    assert decide(arena, now, SETTINGS) == expected


SECONDS = st.none() | st.integers(-(10**6), 10**9)


@given(
    st.builds(Arena, st.text(), st.text(), st.booleans(), SECONDS, SECONDS),
    st.builds(Situation, st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.none() | st.floats(0, 1e9)),
    st.builds(TournamentSettings, join_before_s=st.floats(0, 1e9), ask_again_s=st.floats(0.1, 60)),
)
def test_no_arena_makes_a_decision_raise(arena: Arena, now: Situation, settings: TournamentSettings) -> None:
    decision = decide(arena, now, settings)
    assert 1.0 <= decision.look_in_s <= LOOK_EVERY_S
    assert not (decision.step in (Step.JOIN, Step.PAIR) and (not now.wanted or arena.finished))
    assert not (decision.step is Step.PAIR and (now.playing or not now.has_slot))
