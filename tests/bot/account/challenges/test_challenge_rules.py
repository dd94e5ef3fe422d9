"""Which challenges are taken, and the reasons for the others."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from bot.account.challenges.challenge_rules import OpponentActivity, WaitingChallenges, judge
from bot.events import CLOCK, CORRESPONDENCE, UNLIMITED, Challenge, Player, TimeControl
from bot.settings import ChallengeSettings, EngineEntry, Settings, Variant

HUMAN = Player("alice", "Alice", rating=1700)
BOT = Player("other", "Other", "BOT", 1900)
BLITZ = TimeControl(CLOCK, 180, 2)
FIVE_LATELY = OpponentActivity(recent=lambda _seconds: 5)
NOBODY = OpponentActivity()
DAYS = TimeControl(CORRESPONDENCE, days_per_turn=3)


def challenge(**fields: Any) -> Challenge:
    """A casual blitz challenge by a person, unless said otherwise."""
    plain: dict[str, Any] = {
        "id": "chall001",
        "challenger": HUMAN,
        "dest_user": Player("bot88", "bot88", "BOT"),
        "variant": "standard",
        "rated": False,
        "speed": "blitz",
        "time_control": BLITZ,
        "color": "random",
        "final_color": "white",
    }
    return Challenge(**(plain | fields))


def every_variant(rules: ChallengeSettings) -> Settings:
    """Settings with these rules, and an engine that plays everything."""
    engine = EngineEntry.model_validate({"variants": get_args(Variant)})
    return Settings(challenges=rules, engines=(engine,))


def reason(one: Challenge, activity: OpponentActivity = NOBODY, playable: bool = True, **rules: Any) -> str | None:
    """The decline reason under these challenge settings."""
    return judge(one, every_variant(ChallengeSettings(**rules)), activity, playable=playable).reason


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
        ({}, {"min_limit_s": 300}, "tooFast"),
        ({}, {"max_limit_s": 60}, "tooSlow"),
        ({}, {"min_increment_s": 3}, "tooFast"),
        ({}, {"max_increment_s": 1}, "tooSlow"),
        ({"time_control": TimeControl(CLOCK, 15, 0), "speed": "ultraBullet"}, {}, "tooFast"),
        ({"time_control": TimeControl(UNLIMITED), "speed": "correspondence"}, {}, "tooSlow"),
        ({"time_control": DAYS, "speed": "correspondence"}, {"max_days": 2}, "tooSlow"),
        ({"time_control": DAYS, "speed": "correspondence"}, {"speeds": ("blitz",)}, "tooSlow"),
        ({}, {"min_rating": 1800}, "generic"),
        ({}, {"max_rating": 1600}, "generic"),
        ({"rules": ("noAbort",)}, {}, "generic"),
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
    assert reason(challenge(), playable=False) == "generic"


def test_positions_must_be_playable() -> None:
    legal = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert reason(challenge(variant="fromPosition", initial_fen=legal)) is None
    assert reason(challenge(variant="fromPosition", initial_fen="8/8/8/8/8/8/8/8 w - - 0 1")) == "variant"
    assert reason(challenge(variant="fromPosition", initial_fen="nonsense")) == "variant"


def test_rematches_can_be_refused() -> None:
    refusing = Settings.model_validate({"conduct": {"accept_rematch": False}})
    assert judge(challenge(rematch_of="game0001"), refusing, OpponentActivity()).reason == "generic"
    assert reason(challenge(rematch_of="game0001")) is None


def test_one_opponent_does_not_take_all_slots() -> None:
    assert reason(challenge(), OpponentActivity(running=1)) == "later"
    assert reason(challenge(), OpponentActivity(waiting=1)) == "later"
    assert reason(challenge(), OpponentActivity(running=1, waiting=1), games_per_opponent=3) is None
    assert reason(challenge(challenger=BOT), FIVE_LATELY, bot_games_per_opponent_day=5) == "later"
    assert reason(challenge(), FIVE_LATELY, bot_games_per_opponent_day=5) is None


def ids(waiting: WaitingChallenges) -> list[str]:
    """The queue."""
    return [one.id for one in waiting.in_order()]


def test_the_queue_is_ordered_as_configured() -> None:
    guests = [
        challenge(id="bot", challenger=BOT),
        challenge(id="weak", challenger=Player("w", "W", rating=1000)),
        challenge(id="strong", challenger=Player("s", "S", rating=2500)),
    ]
    orders = {
        "arrival": ["bot", "weak", "strong"],
        "humans_first": ["weak", "strong", "bot"],
        "rating": ["strong", "bot", "weak"],
        "bots_first": ["bot", "weak", "strong"],
    }
    several = (
        (["bots_first", "rating"], ["bot", "strong", "weak"]),
        (["humans_first", "rating"], ["strong", "weak", "bot"]),
    )
    for order, expected in (*orders.items(), *several):
        waiting = WaitingChallenges(ChallengeSettings.model_validate({"order": order}))
        assert all(waiting.add(guest) for guest in guests)
        assert ids(waiting) == expected


def test_titled_players_and_rated_games_may_come_first() -> None:
    master = Player("m", "M", "GM", 2600)
    waiting = WaitingChallenges(ChallengeSettings(order=("titled_first", "rated_first")))
    guests = [
        challenge(id="bot", challenger=BOT),
        challenge(id="rated", rated=True),
        challenge(id="m", challenger=master),
    ]
    assert all(waiting.add(guest) for guest in guests)
    assert ids(waiting) == ["m", "rated", "bot"]


def test_a_challenge_for_the_next_free_slot_waits_even_without_a_queue() -> None:
    waiting = WaitingChallenges(ChallengeSettings(queue=0))
    assert [waiting.add(challenge(id=challenge_id)) for challenge_id in ("one", "two")] == [True, False]


def test_the_queue_is_bounded_and_can_be_left() -> None:
    waiting = WaitingChallenges(ChallengeSettings(queue=2))
    assert waiting.add(challenge(id="one"))
    assert waiting.add(challenge(id="two"))
    assert not waiting.add(challenge(id="three"))
    assert waiting.add(challenge(id="one"))  # said again by the stream: no second place
    assert waiting.count_from("alice") == 2
    waiting.remove("one")
    waiting.remove("never came")
    assert ids(waiting) == ["two"]
    assert "two" in waiting
    assert len(waiting) == 1
