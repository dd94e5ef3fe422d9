"""Whom to challenge next, and how often."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.account.challenges import matchmaking
from bot.account.challenges.matchmaking import (
    ASKED_AGAIN_S,
    COOL_DOWNS_S,
    DAY_S,
    Activity,
    DayCount,
    Matchmaker,
    Proposal,
    declined_kind,
)
from bot.archive.store import Store
from bot.lichess.values import OnlineBot
from bot.settings import MatchmakingSettings, MatchProfile
from tests.helpers.ending import closed_at_end

NOW_S = 1e9
READY = Activity(now_s=NOW_S, idle_s=1e6, free_slots=1)
OTHER = OnlineBot("other", "Other", {"blitz": 1800, "bullet": 1700, "atomic": 1500})


def matchmaker(store: Store | None = None, seed: int = 1, **settings: Any) -> Matchmaker:
    """Return an enabled matchmaker."""
    chosen = MatchmakingSettings.model_validate({"enabled": True, "profiles": [{}]} | settings)
    return Matchmaker(chosen, "me", store or closed_at_end(Store()), random.Random(seed))


BLITZ = MatchProfile()
BULLET = MatchProfile(limit_s=60, increment_s=0)


@pytest.mark.parametrize(
    ("limit_s", "increment_s", "days", "speed"),
    [
        (15, 0, None, "ultraBullet"),
        (60, 0, None, "bullet"),
        (179, 0, None, "bullet"),
        (180, 0, None, "blitz"),
        (180, 2, None, "blitz"),
        (300, 5, None, "rapid"),
        (1800, 0, None, "classical"),
        (180, 0, 3, "correspondence"),
    ],
)
def test_a_profile_has_the_speed_that_lichess_gives_it(
    limit_s: int, increment_s: int, days: int | None, speed: str
) -> None:
    assert MatchProfile(limit_s=limit_s, increment_s=increment_s, days=days).speed == speed


@pytest.mark.parametrize(
    ("activity", "settings", "wanted"),
    [
        (READY, {}, True),
        (READY, {"enabled": False}, False),
        (replace(READY, idle_s=59.0), {"idle_s": 60.0}, False),
        (replace(READY, idle_s=60.0), {"idle_s": 60.0}, True),
        (replace(READY, idle_s=0.0), {"during_games": True}, True),
        (replace(READY, idle_s=0.0, free_slots=0), {"during_games": True}, False),
        (replace(READY, free_slots=0), {}, False),
        (replace(READY, free_slots=-1), {}, False),
        (replace(READY, unanswered=1), {}, False),
        (replace(READY, unanswered=1), {"concurrent": 2}, True),
        (replace(READY, games=1), {}, False),
        (replace(READY, games=1, unanswered=1), {"concurrent": 2}, False),
        (READY, {"games_per_day": 0}, False),
    ],
)
def test_when_a_challenge_is_sent(activity: Activity, settings: dict[str, Any], wanted: bool) -> None:
    assert matchmaker(**settings).wants_challenge(activity) is wanted


def test_the_limit_of_a_day_counts_unanswered_challenges_and_is_free_again_a_day_later() -> None:
    store = closed_at_end(Store())
    store.note("bot_games", [f"{NOW_S - DAY_S + 10.0} one", f"{NOW_S - 5.0} two"])
    one = matchmaker(store, games_per_day=3, concurrent=5)
    assert one.wants_challenge(READY)
    assert not one.wants_challenge(replace(READY, unanswered=1))
    assert not matchmaker(store, games_per_day=2).wants_challenge(READY)
    assert matchmaker(store, games_per_day=2).wants_challenge(replace(READY, now_s=NOW_S + 10.0))


def test_no_more_challenges_are_sent_than_the_day_allows_even_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchmaking, "CHALLENGES_PER_DAY", 3)
    store = closed_at_end(Store())
    for number in range(3):
        assert matchmaker(store).wants_challenge(READY)
        matchmaker(store).asked(Proposal(OTHER, BLITZ), NOW_S + number)
    assert not matchmaker(store).wants_challenge(replace(READY, now_s=NOW_S + 3.0))
    assert matchmaker(store).wants_challenge(replace(READY, now_s=NOW_S + DAY_S))


def test_a_game_announced_twice_counts_once_and_a_damaged_list_counts_as_empty() -> None:
    store = closed_at_end(Store())
    count = DayCount(store, "games")
    for at_s in (NOW_S, NOW_S + 5.0):
        count.add("game0001", at_s)
    assert (count.at(NOW_S + 5.0), count.at(NOW_S + DAY_S)) == (1, 0)
    assert DayCount(store, "games").at(NOW_S + 5.0) == 1
    store.note("games", ["nonsense"])
    assert DayCount(store, "games").at(NOW_S) == 0


def test_a_bot_at_its_own_limit_is_left_alone_for_as_long_as_the_server_says() -> None:
    store = closed_at_end(Store())
    one = matchmaker(store)
    one.leave_alone(Proposal(OTHER, BLITZ), NOW_S + 7200.0)
    assert one.choose([OTHER], {}, NOW_S + 7199.0) is None
    assert one.choose([OTHER], {}, NOW_S + 7200.0) is not None
    assert store.match_cool_downs("other")["everything"].declines == 0


@pytest.mark.parametrize(
    ("profile", "ours", "fits"),
    [
        ({"min_rating": 1800, "max_rating": 1800}, None, True),
        ({"min_rating": 1801}, None, False),
        ({"max_rating": 1799}, None, False),
        ({"max_rating_difference": 100}, 1900, True),
        ({"max_rating_difference": 100}, 1901, False),
        ({"max_rating_difference": 100}, None, False),
        ({"min_rating_difference": 0}, None, False),
        ({"min_rating_difference": 100}, 1900, True),
        ({"min_rating_difference": 101}, 1900, False),
        ({"variant": "atomic", "max_rating": 1500}, None, True),
        ({"variant": "horde"}, None, True),
        ({"variant": "horde", "min_rating": 1}, None, False),
        ({"variant": "horde", "max_rating_difference": 9}, 1900, False),
        ({"variant": "horde", "min_rating_difference": 9}, None, False),
    ],
)
def test_ratings_are_those_of_the_perf_asked_for(profile: dict[str, Any], ours: int | None, fits: bool) -> None:
    one = matchmaker(profiles=[profile])
    assert (one.choose([OTHER], {} if ours is None else {"blitz": ours}, NOW_S) is not None) is fits


def test_neither_ourselves_nor_blocked_bots_are_asked() -> None:
    bots = [OnlineBot("me", "Me"), OnlineBot("foe", "Foe")]
    assert matchmaker(block=["Foe"]).choose(bots, {}, NOW_S) is None


def test_a_profile_that_finds_nobody_gives_way_to_the_next() -> None:
    profiles = [{"weight": 1000, "min_rating": 3000}, {"weight": 1, "limit_s": 60, "increment_s": 0}]
    proposal = matchmaker(profiles=profiles).choose([OTHER], {}, NOW_S)
    assert proposal is not None
    assert proposal.profile.speed == "bullet"


def test_profiles_are_drawn_by_their_weights() -> None:
    one = matchmaker(profiles=[{"weight": 3}, {"weight": 1, "limit_s": 60, "increment_s": 0}])
    speeds = [proposal.profile.speed for _ in range(400) if (proposal := one.choose([OTHER], {}, NOW_S))]
    assert 250 <= speeds.count("blitz") <= 350


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("toofast", "speed blitz"),
        ("tooslow", "speed blitz"),
        ("timecontrol", "speed blitz"),
        ("rated", "mode casual"),
        ("casual", "mode casual"),
        ("variant", "variant standard"),
        ("standard", "variant standard"),
        ("later", "everything"),
        ("nobot", "everything"),
        ("generic", "everything"),
        ("something new", "everything"),
    ],
)
def test_a_decline_concerns_a_kind_of_game(reason: str, kind: str) -> None:
    assert declined_kind(BLITZ, reason) == kind


def test_who_declines_bullet_is_asked_for_blitz_and_for_bullet_only_after_a_time_that_grows() -> None:
    store = closed_at_end(Store())
    bullet = matchmaker(store, profiles=[BULLET])
    now_s = NOW_S
    for number in range(4):
        proposal = bullet.choose([OTHER], {}, now_s)
        assert proposal is not None
        bullet.declined(proposal, "toofast", now_s)
        pause_s = COOL_DOWNS_S[0] * 2**number
        assert bullet.choose([OTHER], {}, now_s + pause_s - 1.0) is None
        assert matchmaker(store, profiles=[BLITZ]).choose([OTHER], {}, now_s) is not None
        now_s += pause_s
    for _ in range(20):
        bullet.declined(Proposal(OTHER, BULLET), "toofast", now_s)
    assert bullet.choose([OTHER], {}, now_s + COOL_DOWNS_S[1]) is not None


def test_who_was_asked_is_left_alone_for_a_moment_and_a_game_forgives_declines() -> None:
    store = closed_at_end(Store())
    one = matchmaker(store)
    proposal = Proposal(OTHER, BLITZ)
    one.declined(proposal, "later", NOW_S)
    one.declined(proposal, "later", NOW_S)
    one.accepted(proposal, NOW_S)
    assert one.choose([OTHER], {}, NOW_S + ASKED_AGAIN_S - 1.0) is None
    assert one.choose([OTHER], {}, NOW_S + ASKED_AGAIN_S) is not None
    one.declined(proposal, "later", NOW_S + DAY_S)
    assert store.match_cool_downs("other")["everything"].declines == 1


RATINGS = st.none() | st.integers(0, 4000)
PROFILES = st.fixed_dictionaries(
    {
        "weight": st.integers(1, 1000),
        "variant": st.sampled_from(["standard", "chess960", "atomic", "horde"]),
        "limit_s": st.integers(1, 10_800),
        "increment_s": st.integers(0, 180),
        "days": st.none() | st.integers(1, 14),
        "mode": st.sampled_from(["rated", "casual"]),
        "max_rating": RATINGS,
        "max_rating_difference": RATINGS.map(lambda rating: None if rating is None else rating + 50),
        "min_rating_difference": st.none() | st.integers(0, 50),
        "prefer": st.sampled_from(["any", "high", "low", "near"]),
    }
)
BOTS = st.builds(
    OnlineBot,
    id=st.sampled_from(["me", "a", "b", "c"]),
    name=st.text(max_size=5),
    ratings=st.dictionaries(st.sampled_from(["bullet", "blitz", "rapid", "atomic"]), st.integers(0, 4000)),
)


@given(
    profiles=st.lists(PROFILES, min_size=1, max_size=4),
    bots=st.lists(BOTS, max_size=5),
    reason=st.text(max_size=12),
    now_s=st.floats(0, 4e9),
    seed=st.integers(0, 1000),
    selection=st.sampled_from(["weighted", "cyclic", "sequential"]),
)
def test_no_configuration_makes_a_decision_raise(
    profiles: list[dict[str, Any]], bots: list[OnlineBot], reason: str, now_s: float, seed: int, selection: str
) -> None:
    one = matchmaker(seed=seed, profiles=profiles, selection=selection)
    proposal = one.choose(bots, {"blitz": 1500}, now_s)
    if proposal is not None:
        assert proposal.bot.id != "me"
        one.asked(proposal, now_s)
        one.declined(proposal, reason, now_s)
        assert one.choose([proposal.bot], {"blitz": 1500}, now_s) is None


def asked(one: Matchmaker, times: int, bots: list[OnlineBot], mine: int = 1800) -> list[tuple[str, int]]:
    """Return the bots that it chooses in turn, and the time limits."""
    found = [one.choose(bots, {"blitz": mine, "bullet": mine}, NOW_S) for _ in range(times)]
    return [(proposal.bot.id, proposal.profile.limit_s) for proposal in found if proposal is not None]


@pytest.mark.parametrize(("selection", "limits"), [("cyclic", [180, 180, 60, 180, 180, 60]), ("sequential", [180] * 6)])
def test_profiles_may_be_tried_in_their_order(selection: str, limits: list[int]) -> None:
    profiles = [{}, {}, {"limit_s": 60, "increment_s": 0}, {"min_rating": 4000}]
    one = matchmaker(profiles=profiles, selection=selection)
    assert [limit_s for _, limit_s in asked(one, 6, [OTHER])] == limits


def test_which_bots_are_preferred() -> None:
    bots = [OnlineBot(name, name, {"blitz": rating}) for name, rating in (("low", 1000), ("mid", 1750), ("high", 2600))]
    counts = {
        prefer: Counter(name for name, _ in asked(matchmaker(profiles=[{"prefer": prefer}]), 300, bots))
        for prefer in ("any", "high", "low", "near")
    }
    assert counts["near"] == {"mid": 300}
    assert counts["high"]["high"] > counts["high"]["mid"] > counts["high"]["low"] > 0
    assert counts["low"]["low"] > counts["low"]["mid"] > counts["low"]["high"] > 0
    assert min(counts["any"].values()) > 70


def test_the_same_draws_make_the_same_choices_and_without_any_it_draws_itself() -> None:
    bots = [OnlineBot(name, name) for name in "abcdefgh"]
    choices = [[bot for bot, _ in asked(matchmaker(seed=seed), 20, bots)] for seed in (5, 5, 6)]
    assert choices[0] == choices[1] != choices[2]
    own = Matchmaker(
        MatchmakingSettings.model_validate({"enabled": True, "profiles": [{}]}), "me", closed_at_end(Store())
    )
    assert len(asked(own, 20, bots)) == 20


def test_being_asked_does_not_shorten_what_a_decline_has_earned() -> None:
    one = matchmaker()
    proposal = Proposal(OTHER, MatchProfile())
    one.declined(proposal, "later", NOW_S)
    one.asked(proposal, NOW_S + 1.0)
    assert one.choose([OTHER], {}, NOW_S + COOL_DOWNS_S[0] - 1.0) is None
    assert one.choose([OTHER], {}, NOW_S + COOL_DOWNS_S[0]) is not None
    one.asked(proposal, NOW_S + COOL_DOWNS_S[0])
    assert one.choose([OTHER], {}, NOW_S + COOL_DOWNS_S[0] + ASKED_AGAIN_S - 1.0) is None
    one.declined(proposal, "later", NOW_S + DAY_S)  # the second in a row, although it was challenged in between
    assert one.choose([OTHER], {}, NOW_S + DAY_S + 2 * COOL_DOWNS_S[0] - 1.0) is None


def test_the_nearest_needs_a_rating_of_ours() -> None:
    bots = [OnlineBot(name, name, {"blitz": rating}) for name, rating in (("low", 0), ("high", 4000))]
    near = matchmaker(profiles=[{"prefer": "near"}])
    found = [near.choose(bots, {}, NOW_S) for _ in range(50)]
    assert {proposal.bot.id for proposal in found if proposal is not None} == {"low", "high"}
