"""What BotLi takes of people and of bots is taken after the migration, each by their own limits."""

from __future__ import annotations

from typing import Any

import pytest

from bot.account.challenges.challenge_rules import OpponentActivity, judge
from bot.events.account import CLOCK, TimeControl
from bot.settings import ChallengeSettings, MatchProfile
from tests.bot.account.challenges.test_challenge_rules import BOT, HUMAN, challenge, every_variant
from tests.bot.migration.test_botli import SAMPLE, carried

BOT_MODES = "time_controls: [rapid, 25+0]\n    modes: casual"


@pytest.mark.parametrize(
    ("opponent", "fields", "expected"),
    [
        ("human", {"variant": "chess960"}, None),
        ("bot", {"variant": "chess960"}, "variant"),
        ("bot", {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 2)}, "timeControl"),
        ("human", {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 1)}, None),
        ("human", {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 0)}, "tooFast"),
        ("bot", {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 1)}, "tooFast"),
        ("bot", {"speed": "classical", "time_control": TimeControl(CLOCK, 1500, 0)}, "tooFast"),
        ("human", {"speed": "rapid", "time_control": TimeControl(CLOCK, 901, 1)}, "tooSlow"),
        ("bot", {"speed": "rapid", "time_control": TimeControl(CLOCK, 901, 2)}, None),
        ("human", {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 5), "rated": True}, None),
        ("bot", {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 5), "rated": True}, "casual"),
    ],
)
def test_people_and_bots_keep_their_own_limits(opponent: str, fields: dict[str, Any], expected: str | None) -> None:
    text = SAMPLE.replace("time_controls: [rapid, 25+0]\n    modes: [casual, rated]", BOT_MODES)
    challenger = {"human": HUMAN, "bot": BOT}[opponent]
    usual = {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 5)}
    one = challenge(challenger=challenger, **(usual | fields))
    assert judge(one, every_variant(carried(text)[0].challenges), OpponentActivity()).decline_reason == expected


def test_limits_alike_for_people_and_bots_are_keys_and_no_rules() -> None:
    limits = (
        "{variants: standard, time_controls: blitz, modes: rated, max_increment: 5, max_estimated_game_duration: 15}"
    )
    text = f"engines: {{standard: {{name: a}}}}\nchallenge: {{human: {limits}, bot: {limits}}}"
    challenges = carried(text)[0].challenges
    assert (challenges.max_increment_s, challenges.max_duration_s, challenges.rules) == (5, 900, ())


def two_kinds(human: str, bot: str) -> ChallengeSettings:
    """What comes out where people and bots have these limits."""
    usual = "variants: standard, time_controls: [bullet, blitz, rapid], modes: casual"
    kinds = f"human: {{{usual}, {human}}}, bot: {{{usual}, {bot}}}"
    return carried(f"engines: {{standard: {{name: a}}}}\nchallenge: {{{kinds}}}")[0].challenges


@pytest.mark.parametrize(
    ("limit", "fits", "beyond", "reason"),
    [
        ("min_increment: 3", (180, 3), (180, 2), "tooFast"),
        ("max_increment: 3", (180, 3), (180, 4), "tooSlow"),
        ("min_initial: 60", (60, 5), (59, 5), "tooFast"),
        ("max_initial: 600", (600, 1), (601, 1), "tooSlow"),
        ("max_estimated_game_duration: 10", (300, 0), (301, 0), "tooSlow"),
    ],
)
def test_a_limit_of_one_kind_is_exact_and_for_this_kind_alone(
    limit: str, fits: tuple[int, int], beyond: tuple[int, int], reason: str
) -> None:
    found = every_variant(two_kinds(limit, "min_increment: 0"))
    judged = [
        judge(
            challenge(challenger=who, speed="blitz", time_control=TimeControl(CLOCK, *clock)), found, OpponentActivity()
        )
        for who, clock in ((HUMAN, fits), (HUMAN, beyond), (BOT, beyond))
    ]
    assert [one.decline_reason for one in judged] == [None, reason, None]


@pytest.mark.parametrize("limit", ["min_increment: 0", "min_initial: 0"])
def test_no_less_than_nothing_is_no_limit(limit: str) -> None:
    assert two_kinds(limit, "bullet_with_increment_only: false").rules == ()


def test_a_limit_of_nothing_at_the_most_is_one() -> None:
    assert two_kinds("max_increment: 0", "max_increment: 0").max_increment_s == 0


@pytest.mark.parametrize(
    ("kinds", "opponents", "bullet"),
    [
        ("human: {modes: rated}", ("human",), ()),
        ("bot: {modes: rated, bullet_with_increment_only: true}", ("bot",), ("bot",)),
        ("human: {modes: rated, bullet_with_increment_only: true}, bot: {modes: rated}", ("human", "bot"), ("human",)),
    ],
)
def test_kinds_that_are_not_named_are_not_taken(
    kinds: str, opponents: tuple[str, ...], bullet: tuple[str, ...]
) -> None:
    words = "variants: standard, time_controls: blitz, "
    text = f"engines: {{standard: {{name: a}}}}\nchallenge: {{{kinds.replace('modes', words + 'modes')}}}"
    found = carried(text)[0].challenges
    assert (found.opponents, found.bullet_needs_increment, found.modes) == (opponents, bullet, ("rated",))


def profile_of(keys: str) -> tuple[MatchProfile, str]:
    """The profile that comes out of one of matchmaking's types, and the notes."""
    settings, notes = carried(f"engines: {{standard: {{name: a}}}}\nmatchmaking: {{types: {{one: {{{keys}}}}}}}")
    (profile,) = settings.matchmaking.profiles
    return profile, notes


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("tc: 3+2", MatchProfile(limit_s=180, increment_s=2, mode="rated", prefer="near")),
        ("tc: 0.5+0, rated: false", MatchProfile(limit_s=30, increment_s=0, mode="casual", prefer="near")),
        (
            "tc: 1+1, weight: 5, max_rating_diff: 0, min_rating_diff: 0",
            MatchProfile(limit_s=60, increment_s=1, mode="rated", prefer="near", weight=5, max_rating_difference=0),
        ),
        (
            "tc: 1+1, variant: ATOMIC, min_rating_diff: 50",
            MatchProfile(
                limit_s=60, increment_s=1, mode="rated", prefer="near", variant="atomic", min_rating_difference=50
            ),
        ),
    ],
)
def test_a_type_is_a_profile(keys: str, expected: MatchProfile) -> None:
    assert profile_of(keys)[0] == expected


@pytest.mark.parametrize(
    ("keys", "notes"),
    [
        ("target_rating_diff: 0", 1),
        ("target_rating_diff: 50", 2),
        ("multiplier: 15", 2),
        ("surprise: 1", 2),
    ],
)
def test_what_is_said_about_a_type(keys: str, notes: int) -> None:
    """Always that matchmaking starts automatically."""
    assert len(profile_of(f"tc: 3+2, {keys}")[1].splitlines()) == notes


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("delay: 10, timeout: 30, selection: sequential", (10, 30, "sequential")),
        ("timeout: 5, selection: weighted_random", (60, 5, "weighted")),
        ("timeout: 4.5", (60, 5, "weighted")),
    ],
)
def test_how_matchmaking_goes_about_it(keys: str, found: tuple[float, float, str]) -> None:
    one = carried(f"engines: {{standard: {{name: a}}}}\nmatchmaking: {{{keys}}}")[0].matchmaking
    assert (one.idle_s, one.cancel_after_s, one.selection) == found


def test_without_matchmaking_nothing_is_said_about_it() -> None:
    assert carried("engines: {standard: {name: a}}")[1] == ""
