"""lichess-bot's challenges and matchmaking in our words, key by key."""

from __future__ import annotations

from typing import Any

import pytest

from bot.settings import ChallengeSettings, MatchmakingSettings
from tests.bot.migration.test_lichess_bot import carried


def challenges(keys: str) -> ChallengeSettings:
    """What comes out of these keys of `challenge`."""
    return carried(f"engine: {{name: a}}\nchallenge: {{{keys}}}")[0].challenges


def matchmaking(keys: str, challenge: str = "") -> MatchmakingSettings:
    """What comes out of these keys of `matchmaking`."""
    text = f"engine: {{name: a}}\nchallenge: {{{challenge}}}\nmatchmaking: {{{keys}}}"
    return carried(text)[0].matchmaking


@pytest.mark.parametrize(
    ("keys", "unlimited", "days"), [("", True, 14), ("max_days: .inf", True, 14), ("max_days: 3", False, 3)]
)
def test_games_without_a_limit_are_taken_unless_there_is_a_most_of_days(keys: str, unlimited: bool, days: int) -> None:
    found = challenges(keys)
    assert (found.unlimited, found.max_days) == (unlimited, days)


@pytest.mark.parametrize(
    ("keys", "opponents"),
    [
        ("accept_bot: true", ("human", "bot")),
        ("accept_bot: false", ("human",)),
        ("", ("human",)),
        ("accept_bot: true, only_bot: true", ("bot",)),
    ],
)
def test_who_may_challenge(keys: str, opponents: tuple[str, ...]) -> None:
    assert challenges(keys).opponents == opponents


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("min_rating: 900, max_rating: 2000", (900, 2000, None)),
        ("min_rating: 900, max_rating: 2000, rating_difference: 200", (None, None, 200)),
        ("rating_difference: 0", (None, None, 0)),
    ],
)
def test_a_difference_of_ratings_overrides_the_limits(keys: str, found: tuple[int | None, ...]) -> None:
    one = challenges(keys)
    assert (one.min_rating, one.max_rating, one.max_rating_difference) == found


@pytest.mark.parametrize(
    ("keys", "rules"),
    [
        ("recent_bot_challenge_age: 60, max_recent_bot_challenges: 0", 1),
        ("recent_bot_challenge_age: 0, max_recent_bot_challenges: 2", 1),
        ("recent_bot_challenge_age: 60", 0),
        ("max_recent_bot_challenges: 2", 0),
    ],
)
def test_bots_that_challenge_often_need_an_age_and_a_most(keys: str, rules: int) -> None:
    assert len(challenges(keys).rules) == rules


def test_what_is_not_given_stays_as_usual() -> None:
    found = challenges("")
    usual = ChallengeSettings(opponents=("human",), order=("rating",), unlimited=True, max_days=14)
    assert found == usual


def test_limits_for_people_and_each_user() -> None:
    keys = "min_increment: 1, min_base: 60, max_base: 600, games_reserved_for_humans: 1"
    found = challenges(
        f"{keys}, max_simultaneous_games_per_user: 2, allow_list: [Friend], bullet_requires_increment: true"
    )
    assert (found.min_increment_s, found.min_limit_s, found.max_limit_s) == (1, 60, 600)
    assert (found.reserved_for_humans, found.games_per_opponent, found.only) == (1, 2, ("friend",))
    assert found.bullet_needs_increment == ("bot",)


GAMES = "challenge_variant: atomic, challenge_mode: rated, challenge_initial_time: 60, challenge_increment: 1"


@pytest.mark.parametrize(("minutes", "idle_s"), [("5", 300), ("1", 60), ("0", 60), ("0.5", 60)])
def test_a_pause_of_a_minute_is_the_least(minutes: str, idle_s: int) -> None:
    assert matchmaking(f"{GAMES}, challenge_timeout: {minutes}").idle_s == idle_s


def test_without_wishes_matchmaking_is_off_and_as_usual() -> None:
    found = matchmaking("")
    assert (found.enabled, found.during_games, found.block) == (False, False, ())
    assert found.idle_s == MatchmakingSettings().idle_s


@pytest.mark.parametrize(
    ("wish", "paces"),
    [
        ("challenge_initial_time: [0, 60], challenge_increment: [0, 2]", [(0, 2), (60, 0), (60, 2)]),
        ("challenge_initial_time: 60", []),
        ("challenge_days: [1, 3]", [1, 3]),
        ("challenge_initial_time: 60, challenge_increment: 0, challenge_days: 2", [(60, 0), 2]),
    ],
)
def test_every_pace_that_is_drawn_there_is_a_profile_here(wish: str, paces: list[Any]) -> None:
    found = matchmaking(f"challenge_variant: standard, challenge_mode: casual, {wish}").profiles
    if not paces:
        assert found == MatchmakingSettings().profiles
        return
    assert [profile.days or (profile.limit_s, profile.increment_s) for profile in found] == paces


@pytest.mark.parametrize(
    ("mode", "modes"), [("rated", ["rated"]), ("casual", ["casual"]), ("random", ["casual", "rated"])]
)
def test_a_random_mode_is_either(mode: str, modes: list[str]) -> None:
    clock = "challenge_initial_time: 60, challenge_increment: 1"
    found = matchmaking(f"challenge_variant: standard, challenge_mode: {mode}, {clock}").profiles
    assert [profile.mode for profile in found] == modes


@pytest.mark.parametrize(
    ("wish", "bounds"),
    [
        ("opponent_min_rating: 1500, opponent_max_rating: 1900", (1500, 1900, None, "any")),
        ("opponent_rating_difference: 100, rating_preference: low", (None, None, 100, "low")),
        ("rating_preference: none", (None, None, None, "any")),
    ],
)
def test_opponents_by_rating(wish: str, bounds: tuple[Any, ...]) -> None:
    (profile,) = matchmaking(f"{GAMES}, {wish}").profiles
    assert (profile.min_rating, profile.max_rating, profile.max_rating_difference, profile.prefer) == bounds


def test_an_override_replaces_what_it_names_and_nothing_else() -> None:
    found = matchmaking(
        f"{GAMES}, overrides: {{fast: {{challenge_initial_time: 30}}, horde: {{challenge_variant: horde}}}}"
    )
    assert [(one.variant, one.limit_s, one.increment_s, one.mode) for one in found.profiles] == [
        ("atomic", 60, 1, "rated"),
        ("atomic", 30, 1, "rated"),
        ("horde", 60, 1, "rated"),
    ]


@pytest.mark.parametrize(("include", "block"), [("true", ("slow", "rude")), ("false", ("slow",))])
def test_users_whose_challenges_are_declined_are_not_challenged_either_where_it_is_said(
    include: str, block: tuple[str, ...]
) -> None:
    keys = f"{GAMES}, block_list: [Slow], include_challenge_block_list: {include}"
    assert matchmaking(keys, "block_list: [Rude, Slow]").block == block


@pytest.mark.parametrize(("word", "told"), [("none", True), ("fine", False), ("coarse", False)])
def test_that_declines_are_always_remembered_is_told_where_they_were_not(word: str, told: bool) -> None:
    notes = carried(f"engine: {{name: a}}\nmatchmaking: {{challenge_filter: {word}}}")[1]
    assert ("matchmaking.challenge_filter: declines are always remembered" in notes) is told


def test_the_challenges() -> None:
    challenges = carried()[0].challenges
    assert (challenges.opponents, challenges.order) == (("bot",), ("bots_first",))
    assert (challenges.variants, challenges.speeds, challenges.modes) == (
        ("standard", "threeCheck"),
        ("blitz", "3+2"),
        ("rated",),
    )
    assert (challenges.max_increment_s, challenges.min_days, challenges.unlimited) == (5, 2, True)
    assert challenges.block == ("rude", "https://lists.example/bots", "http://other.example/x")
    assert (challenges.max_rating_difference, challenges.min_rating) == (200, None)
    assert challenges.bullet_needs_increment == ("bot",)
    (rule,) = challenges.rules
    assert (rule.opponents, rule.min_recent_games, rule.recent_s, rule.decline) == (("bot",), 2, 60.0, "later")


def test_matchmaking() -> None:
    matchmaking = carried()[0].matchmaking
    lists = ("https://lists.example/bots", "http://other.example/x")
    assert (matchmaking.enabled, matchmaking.idle_s, matchmaking.block) == (True, 300, ("slow", "rude", *lists))
    assert matchmaking.during_games
    assert {profile.prefer for profile in matchmaking.profiles} == {"high"}
    asked = [(profile.limit_s, profile.increment_s, profile.days, profile.mode) for profile in matchmaking.profiles]
    assert asked == [(60, 1, None, "rated"), (120, 1, None, "rated"), (180, 2, 2, "casual")]


def test_a_random_variant_is_any_that_is_accepted_and_has_a_starting_position() -> None:
    text = """
engine: {name: a}
challenge: {variants: [standard, atomic, fromPosition]}
matchmaking: {challenge_variant: random, challenge_initial_time: 60, challenge_increment: 1, challenge_mode: rated}
"""
    assert [one.variant for one in carried(text)[0].matchmaking.profiles] == ["standard", "atomic"]


@pytest.mark.parametrize(
    ("challenge", "order"),
    [
        ("{sort_by: best}", ("rating",)),
        ("{sort_by: first}", ("arrival",)),
        ("{sort_by: best, preference: human}", ("humans_first", "rating")),
        ("{sort_by: first, preference: human}", ("humans_first",)),
    ],
)
def test_the_order_of_the_queue(challenge: str, order: tuple[str, ...]) -> None:
    assert carried(f"engine: {{name: a}}\nchallenge: {challenge}")[0].challenges.order == order
