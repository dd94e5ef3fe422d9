"""In which order matchmaking tries its profiles, and which of the bots that fit it asks."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.account.challenges.matchmaking import ASKED_AGAIN_S, COOL_DOWNS_S, DAY_S, Matchmaker, Proposal
from bot.lichess.values import OnlineBot
from bot.settings import MatchmakingSettings, MatchProfile
from tests.bot.account.challenges.test_matchmaking import NOW_S, OTHER, matchmaker
from tests.helpers.match_memory import Memory


def asked(one: Matchmaker, times: int, bots: list[OnlineBot], mine: int = 1800) -> list[tuple[str, int]]:
    """Whom it chooses in turn, and with how much time."""
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
    own = Matchmaker(MatchmakingSettings.model_validate({"enabled": True, "profiles": [{}]}), "me", Memory())
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
    one.declined(proposal, "later", NOW_S + DAY_S)  # the second in a row, although it was asked in between
    assert one.choose([OTHER], {}, NOW_S + DAY_S + 2 * COOL_DOWNS_S[0] - 1.0) is None


def test_the_nearest_needs_a_rating_of_ours() -> None:
    bots = [OnlineBot(name, name, {"blitz": rating}) for name, rating in (("low", 0), ("high", 4000))]
    near = matchmaker(profiles=[{"prefer": "near"}])
    found = [near.choose(bots, {}, NOW_S) for _ in range(50)]
    assert {proposal.bot.id for proposal in found if proposal is not None} == {"low", "high"}
