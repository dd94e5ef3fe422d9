"""The timetable: one day for one seed, with everything that a day should have."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.soak.day.guests import NOBODY, accounts, visitors
from benchmarks.soak.day.timetable import KINDS, draw_visits, moments
from bot.fake_lichess.world.variants import VARIANTS


def test_a_seed_is_one_day() -> None:
    assert draw_visits(3, 10) == draw_visits(3, 10)
    assert draw_visits(3, 10) != draw_visits(4, 10)


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_day_of_thirty_minutes_has_all_kinds_of_guests_and_challenges(seed: int) -> None:
    visits = draw_visits(seed, 30)
    assert [visit.at_s for visit in visits] == sorted(visit.at_s for visit in visits)
    assert visits[-1].at_s < 30 * 60
    assert {visit.visitor.kind for visit in visits} == {one.kind for one in visitors()}
    assert {visit.terms["rated"] for visit in visits} == {True, False}
    assert any(visit.cancel_after_s is not None for visit in visits)
    acts = Counter(act.do for visit in visits for act in visit.script.acts)
    assert {"resign", "chat", "offer_draw", "offer_takeback", "leave", "come_back", "idle"} <= acts.keys()
    assert any(visit.script.rematch for visit in visits)


def test_only_what_the_server_takes_is_asked_for() -> None:
    visits = draw_visits(1, 200)
    assert {visit.kind for visit in visits} == set(KINDS)
    for visit in visits:
        terms = visit.terms
        assert terms.get("variant", "standard") in VARIANTS
        assert (terms.get("variant") == "fromPosition") == ("fen" in terms)
        assert not (terms["rated"] and ("fen" in terms or visit.visitor.name == NOBODY))
        if terms.get("clock") is not None:
            limit_s, increment_s = terms["clock"]
            assert limit_s + 40 * increment_s >= 30


def test_everybody_has_an_account() -> None:
    assert {visitor.name for visitor in visitors()} < {account.name for account in accounts("lip_token")}


def test_the_operators_moments_fill_the_day_in_order() -> None:
    plan = moments(30)
    assert [moment.at_s for moment in plan] == sorted(moment.at_s for moment in plan)
    assert {moment.do for moment in plan} == {"ctl", "arena", "restart", "edit", "sighup", "screens"}
    assert max(moment.at_s for moment in plan) < 30 * 60
