"""Which challenges are accepted, the reasons to decline the others, and what the keys of the settings stand for."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.account.challenges.challenge_rules import UNPLAYABLE, Judgement, OpponentActivity, effective_rules, judge
from bot.events.account import CLOCK, CORRESPONDENCE, UNLIMITED, Challenge, TimeControl
from bot.events.game import Player
from bot.service.check import rules_in_words
from bot.settings import (
    DECLINE_REASONS,
    SPEEDS,
    ChallengeSettings,
    EngineEntry,
    Profile,
    Settings,
    Variant,
)

HUMAN = Player("alice", "Alice", rating=1700)
BOT = Player("other", "Other", "BOT", 1900)
BLITZ = TimeControl(CLOCK, 180, 2)
FIVE_LATELY = OpponentActivity(recent=lambda _seconds: 5)
NOBODY = OpponentActivity()
DAYS = TimeControl(CORRESPONDENCE, days_per_turn=3)
BULLET = {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 0)}
BY_DAYS = {"speed": "correspondence", "time_control": DAYS}
LATELY = OpponentActivity(recent=lambda seconds: 3 if seconds >= 3600 else 0)
KNOWN = Profile(account_days=10, games=40)


def challenge(**fields: Any) -> Challenge:
    """Return a casual blitz challenge by a person, with these fields changed."""
    plain: dict[str, Any] = {
        "id": "chall001",
        "challenger": HUMAN,
        "dest_user": Player("bot88", "bot88", "BOT"),
        "variant": "standard",
        "rated": False,
        "speed": "blitz",
        "time_control": BLITZ,
    }
    return Challenge(**(plain | fields))


def every_variant(rules: ChallengeSettings) -> Settings:
    """Return settings with these rules, and an engine that plays everything."""
    engine = EngineEntry.model_validate({"variants": get_args(Variant)})
    return Settings(challenges=rules, engines=(engine,))


def reason(one: Challenge, activity: OpponentActivity = NOBODY, **rules: Any) -> str | None:
    """Return the decline reason under these challenge settings."""
    return judge(one, every_variant(ChallengeSettings(**rules)), activity).decline_reason


def test_an_ordinary_challenge_is_taken() -> None:
    assert reason(challenge()) is None
    assert reason(challenge(rated=True, challenger=BOT)) is None
    assert reason(challenge(speed="correspondence", time_control=DAYS)) is None


@pytest.mark.parametrize(
    ("fields", "rules", "expected"),
    [
        ({}, {"accept": False}, "later"),
        ({}, {"block": ("alice",)}, "generic"),
        ({}, {"only": ("bobby",)}, "generic"),
        ({"challenger": BOT}, {"opponents": ("human",)}, "noBot"),
        ({}, {"opponents": ("bot",)}, "onlyBot"),
        ({"variant": "atomic"}, {}, "variant"),
        ({}, {"variants": ("chess960",)}, "standard"),
        ({"rated": True}, {"modes": ("casual",)}, "casual"),
        ({}, {"modes": ("rated",)}, "rated"),
        ({}, {"speeds": ("rapid", "classical")}, "tooFast"),
        ({}, {"speeds": ("bullet",)}, "tooSlow"),
        ({}, {"speeds": ("bullet", "rapid")}, "timeControl"),
        ({"time_control": TimeControl(CLOCK, 15, 0), "speed": "ultraBullet"}, {}, "tooFast"),
        ({"time_control": TimeControl(UNLIMITED), "speed": "correspondence"}, {}, "tooSlow"),
        ({"time_control": DAYS, "speed": "correspondence"}, {"speeds": ("blitz",)}, "tooSlow"),
        ({}, {"min_rating": 1800}, "generic"),
        ({}, {"max_rating": 1600}, "generic"),
    ],
)
def test_reasons_are_lichess_own_words(fields: dict[str, Any], rules: dict[str, Any], expected: str) -> None:
    assert reason(challenge(**fields), **rules) == expected


@pytest.mark.parametrize(("limit_s", "increment_s"), [(30, 0), (0, 1), (10_800, 180)])
def test_the_shortest_and_longest_clocks_for_bots_are_taken(limit_s: int, increment_s: int) -> None:
    speed = "classical" if limit_s > 60 else "bullet"
    assert reason(challenge(speed=speed, time_control=TimeControl(CLOCK, limit_s, increment_s))) is None


def test_unlimited_games_are_taken_where_allowed() -> None:
    assert reason(challenge(time_control=TimeControl(UNLIMITED), speed="correspondence"), unlimited=True) is None


def test_what_the_bot_api_cannot_play_is_declined() -> None:
    assert reason(challenge(playable=False)) == "generic"


def test_positions_must_be_playable() -> None:
    legal = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert reason(challenge(variant="fromPosition", initial_fen=legal)) is None
    assert reason(challenge(variant="fromPosition", initial_fen="8/8/8/8/8/8/8/8 w - - 0 1")) == "variant"
    assert reason(challenge(variant="fromPosition", initial_fen="nonsense")) == "variant"
    for over in ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"):  # mate, stalemate
        assert reason(challenge(variant="fromPosition", initial_fen=over)) == "variant"


def test_one_opponent_does_not_take_all_slots() -> None:
    assert reason(challenge(), OpponentActivity(running=1)) == "later"
    assert reason(challenge(), OpponentActivity(waiting=1)) == "later"
    assert reason(challenge(), OpponentActivity(running=1, waiting=1), games_per_opponent=3) is None
    bots = {"opponents": "bot", "min_recent_games": 5, "recent_s": 86_400.0, "decline": "later"}
    assert reason(challenge(challenger=BOT), FIVE_LATELY, rules=bots) == "later"
    assert reason(challenge(), FIVE_LATELY, rules=bots) is None


def decision(one: Challenge, activity: OpponentActivity | None = None, **rules: Any) -> tuple[str | None, str]:
    """Return the reason to decline and the key that decides."""
    settings = every_variant(ChallengeSettings.model_validate(rules))
    found = judge(one, settings, activity or OpponentActivity(), profile=KNOWN)
    return found.decline_reason, found.rule


@pytest.mark.parametrize(
    ("fields", "rules", "expected"),
    [
        ({}, {"allow": "Alice", "accept": False, "block": "alice"}, (None, "challenges.allow")),
        ({}, {"rules": {"users": "alice", "accept": True}, "accept": False}, (None, "challenges.rules[1]")),
        ({}, {"rules": {"users": "bob", "accept": True}, "accept": False}, ("later", "challenges.accept")),
        ({}, {"rules": [{"mode": "rated", "accept": True}, {"decline": "rated"}]}, ("rated", "challenges.rules[2]")),
        ({}, {"rules": {"unless": {"users": "alice"}, "decline": "later"}}, (None, "")),
        ({}, {"rules": {"unless": {"users": "bob"}, "decline": "later"}}, ("later", "challenges.rules[1]")),
        ({}, {"rules": {"unless": {"users": "alice", "mode": "rated"}, "decline": "later"}}, ("later",)),
        ({}, {"speeds": ["bullet", "3+2"]}, (None, "")),
        ({}, {"speeds": ["bullet", "3+0"]}, ("timeControl", "challenges.speeds")),
        ({}, {"speeds": "5+8"}, ("tooFast", "challenges.speeds")),
        ({}, {"speeds": "1+0"}, ("tooSlow", "challenges.speeds")),
        ({}, {"speeds": "blitz", "max_duration_s": 519}, ("tooSlow", "challenges.max_duration_s")),
        ({}, {"speeds": "blitz", "max_duration_s": 520}, (None, "")),
        (BULLET, {"bullet_needs_increment": "bot"}, (None, "")),
        (BULLET, {"bullet_needs_increment": "human"}, ("tooFast", "challenges.bullet_needs_increment")),
        ({}, {"max_rating_difference": 99}, ("generic", "challenges.max_rating_difference")),
        ({}, {"max_rating_difference": 100}, (None, "")),
        ({}, {"rules": {"titles": ["GM"], "decline": "later"}}, (None, "")),
        ({}, {"rules": {"speeds": "blitz", "max_increment_s": 2, "decline": "tooFast"}}, ("tooFast",)),
        ({"rematch_of": "x"}, {"rules": {"rematch": True, "decline": "later"}}, ("later",)),
        (
            {"time_control": DAYS, "speed": "correspondence"},
            {"rules": {"min_days": 3, "decline": "tooSlow"}},
            ("tooSlow",),
        ),
        ({"rules": ("noAbort",)}, {"allow": "alice"}, ("generic", UNPLAYABLE)),
        ({}, {"min_limit_s": 180, "max_limit_s": 180, "min_increment_s": 2, "max_increment_s": 2}, (None, "")),
        ({}, {"min_limit_s": 181}, ("tooFast", "challenges.min_limit_s")),
        ({}, {"max_limit_s": 179}, ("tooSlow", "challenges.max_limit_s")),
        ({}, {"min_increment_s": 3}, ("tooFast", "challenges.min_increment_s")),
        ({}, {"max_increment_s": 1}, ("tooSlow", "challenges.max_increment_s")),
        (BY_DAYS, {"speeds": "correspondence", "min_days": 3, "max_days": 3}, (None, "")),
        (BY_DAYS, {"speeds": "correspondence", "min_days": 4}, ("tooFast", "challenges.min_days")),
        (BY_DAYS, {"speeds": "correspondence", "max_days": 2}, ("tooSlow", "challenges.max_days")),
    ],
)
def test_the_first_rule_that_fits_decides(
    fields: dict[str, Any], rules: dict[str, Any], expected: tuple[str | None, ...]
) -> None:
    me = Player("bot88", "bot88", "BOT", 1800)
    assert decision(challenge(dest_user=me, **fields), **rules)[: len(expected)] == expected


def test_titled_players_and_recent_games() -> None:
    master = challenge(challenger=Player("m", "M", "GM", 2600))
    assert decision(master, max_rating=2000, rules={"titles": ["GM", "IM"], "accept": True}) == (
        None,
        "challenges.rules[1]",
    )
    three = {"min_recent_games": 3, "decline": "later"}
    assert decision(challenge(), LATELY, rules=three) == ("later", "challenges.rules[1]")
    assert decision(challenge(), LATELY, rules=three | {"min_recent_games": 4})[0] is None
    minute = {"min_recent_games": 1, "recent_s": 60.0, "decline": "later"}
    assert decision(challenge(), LATELY, rules=minute)[0] is None
    assert decision(challenge(), OpponentActivity(running=1), rules=minute, games_per_opponent=2)[0] == "later"


def test_what_no_engine_plays_is_declined_whatever_a_rule_accepts() -> None:
    settings = Settings(challenges=ChallengeSettings.model_validate({"allow": "alice", "variants": ["atomic"]}))
    assert judge(challenge(variant="atomic"), settings, OpponentActivity()).decline_reason == "variant"


def test_players_without_a_rating_pass() -> None:
    stranger = challenge(challenger=Player("new", "New"))
    assert decision(stranger, min_rating=1500, max_rating=1600, max_rating_difference=1)[0] is None


def test_an_account_is_looked_at_only_where_a_rule_depends_on_it() -> None:
    settings = Settings(
        challenges=ChallengeSettings.model_validate(
            {"block": "bob", "rules": {"max_games": 4, "mode": "casual", "decline": "generic"}, "modes": "casual"}
        )
    )
    activity = OpponentActivity()
    assert judge(challenge(), settings, activity) == Judgement(rule="challenges.rules[1]", needs_profile=True)
    assert judge(challenge(rated=True), settings, activity).decline_reason == "casual"
    assert judge(challenge(challenger=Player("bob", "Bob")), settings, activity).decline_reason == "generic"
    assert judge(challenge(), settings, activity, profile=Profile()).decline_reason is None


@pytest.mark.parametrize(
    ("rule", "needed"),
    [
        ({"mode": "casual", "unless": {"min_games": 50}}, True),
        ({"max_games": 50, "unless": {"users": "bob"}}, True),
        ({"max_games": 50, "unless": {"users": "alice"}}, False),
        ({"mode": "rated", "unless": {"min_games": 50}}, False),
    ],
)
def test_an_exception_may_need_a_look_at_the_account_too(rule: dict[str, Any], needed: bool) -> None:
    rules: Any = {"rules": {**rule, "decline": "later"}}
    settings = every_variant(ChallengeSettings.model_validate(rules))
    assert judge(challenge(), settings, OpponentActivity()).needs_profile is needed
    assert decision(challenge(), **rules) == (("later", "challenges.rules[1]") if needed else (None, ""))


def test_the_defaults_are_few_rules() -> None:
    keys = [key for key, _rule in effective_rules(ChallengeSettings())]
    assert keys == [
        "challenges.variants",
        "challenges.unlimited",
        "challenges.speeds",
        "challenges.speeds",
        "challenges.games_per_opponent",
    ]


def test_a_limit_no_narrower_than_the_servers_own_is_no_rule() -> None:
    wide = ChallengeSettings(max_limit_s=20_000, max_increment_s=999, max_days=99)
    assert effective_rules(wide) == effective_rules(ChallengeSettings())
    assert effective_rules(wide) is effective_rules(wide)  # built once, not for each challenge


COUNT = st.none() | st.integers(0, 200)
PACES = st.lists(st.sampled_from([*SPEEDS, "3+2", "0.25+0", "15+10"]), max_size=3, unique=True)
USERS = st.lists(st.sampled_from(["alice", "/tmp/list.txt", "https://example.org/x"]), max_size=2)
KINDS = st.lists(st.sampled_from(["human", "bot"]), max_size=2, unique=True)


def _limits(*names: str) -> dict[str, st.SearchStrategy[Any]]:
    """Return limits in ascending order, also together with a default."""
    least = {f"min_{name}": st.integers(1, 14) for name in names}
    return least | {f"max_{name}": st.integers(14, 200) for name in names}


CONDITIONS = st.fixed_dictionaries(
    {},
    optional={
        "users": USERS,
        "titles": st.lists(st.sampled_from(["GM", "BOT"])),
        "speeds": PACES,
        "opponents": KINDS,
        "mode": st.sampled_from(["rated", "casual"]),
        "variants": st.lists(st.sampled_from(get_args(Variant)), max_size=2, unique=True),
        "time_controls": st.lists(st.sampled_from([CLOCK, CORRESPONDENCE, UNLIMITED]), max_size=2, unique=True),
        "rematch": st.booleans(),
        "min_recent_games": st.integers(0, 5),
        "recent_s": st.floats(0, 1e6),
        "min_open_games": st.integers(1, 3),
        **_limits(
            "rating", "limit_s", "increment_s", "duration_s", "rating_difference", "account_days", "games", "days"
        ),
    },
)
OUTCOMES = st.just({"accept": True}) | st.sampled_from(DECLINE_REASONS).map(lambda reason: {"decline": reason})
RULES = st.builds(
    lambda plain, unless, end: {**plain, "unless": unless, **end}, CONDITIONS, st.none() | CONDITIONS, OUTCOMES
)
SETTINGS = st.fixed_dictionaries(
    {"rules": st.lists(RULES, max_size=3)},
    optional={
        "accept": st.booleans(),
        "allow": USERS,
        "block": USERS,
        "only": USERS,
        "speeds": PACES,
        "opponents": KINDS,
        "modes": st.lists(st.sampled_from(["rated", "casual"]), max_size=2, unique=True),
        "unlimited": st.booleans(),
        "bullet_needs_increment": KINDS,
        "max_duration_s": st.integers(1, 9999),
        "max_rating_difference": COUNT,
        **_limits("rating", "limit_s", "increment_s", "days"),
    },
)
CLOCKS = st.builds(
    TimeControl, st.sampled_from([CLOCK, CORRESPONDENCE, UNLIMITED]), st.integers(0, 10_800), st.integers(0, 180)
)
PROFILES = st.none() | st.builds(Profile, st.none() | st.integers(-1, 10_000), COUNT)
CHALLENGES = st.builds(
    challenge,
    challenger=st.sampled_from([HUMAN, BOT, Player("", ""), Player("m", "M", "GM")]),
    dest_user=st.sampled_from([Player("bot88", "bot88"), Player("bot88", "bot88", "BOT", 2000)]),
    variant=st.sampled_from([*get_args(Variant), "shogi"]),
    speed=st.sampled_from([*SPEEDS, "", "hyper"]),
    time_control=CLOCKS,
    rated=st.booleans(),
    rematch_of=st.sampled_from(["", "abcdefgh"]),
    initial_fen=st.sampled_from(["", "startpos", "nonsense"]),
    playable=st.booleans(),
)


@given(SETTINGS, CHALLENGES, PROFILES)
def test_no_configuration_makes_a_decision_raise(
    rules: dict[str, Any], one: Challenge, profile: Profile | None
) -> None:
    settings = every_variant(ChallengeSettings.model_validate(rules))
    found = judge(one, settings, LATELY, profile=profile)
    assert found.decline_reason is None or found.decline_reason in DECLINE_REASONS
    assert not (found.needs_profile and profile is not None)
    if not one.playable and not found.needs_profile:
        assert found.decline_reason is not None
    assert "all others: accepted" in rules_in_words(settings)
