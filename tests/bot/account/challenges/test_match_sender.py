"""What matchmaking sends and cancels, whom it leaves alone, and how long it waits."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.account.admission import Admission
from bot.account.challenges.match_sender import (
    ANSWER_GRACE_S,
    FAILURE_PAUSES_S,
    FRUITLESS_PAUSES_S,
    NOBODY_PAUSE_S,
    RATINGS_AGE_S,
    MatchSender,
)
from bot.account.challenges.matchmaking import Matchmaker
from bot.account.slots import OUTGOING_S, Slots, SlotUse
from bot.archive.store import Store
from bot.errors import LichessError, NetworkError, OpponentLimited, RateLimited, Rejected
from bot.events.account import Challenge, GameInfo
from bot.events.game import Player
from bot.lichess.values import Account, ChallengeTerms, OnlineBot
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.ending import closed_at_end
from tests.helpers.server import StubServer

NOW_S = 1e6


def begun(game_id: str) -> GameInfo:
    """Return a game with another bot that has begun."""
    return GameInfo(game_id, Player("other", "Other", "BOT"), speed="blitz")


class SenderHarness(StubServer):
    """A sender that was not started, and a server with some bots online."""

    def __init__(self, *bots: str, concurrency: int = 1, reserved: int = 0, **matchmaking: Any) -> None:
        content = {"enabled": True, "profiles": [{}], "idle_s": 0.0} | matchmaking
        challenges = {"reserved_for_humans": reserved}
        settings = Settings.model_validate(
            {"concurrency": concurrency, "challenges": challenges, "matchmaking": content}
        )
        self.bots = bots
        self.errors: list[LichessError] = []
        self.list_errors: list[LichessError] = []
        self.sent: list[ChallengeTerms] = []
        self.canceled: list[str] = []
        self.cancel_errors: list[LichessError] = []
        self.listed = self.accounts = 0
        self.ratings: dict[str, int] = {}
        self.store = closed_at_end(Store())
        self.slots = Slots(concurrency)
        self.admission = Admission(self.store)
        matchmaker = Matchmaker(settings.matchmaking, "me", self.store, random.Random(1))
        self.sender = MatchSender(self, matchmaker, self.slots, settings, lambda: 1e9, self.admission)

    def online_bots(self) -> tuple[OnlineBot, ...]:
        """Return the bots of the test, and ourselves."""
        self.listed += 1
        if self.list_errors:
            raise self.list_errors.pop(0)
        return tuple(OnlineBot(name.lower(), name) for name in ("Me", *self.bots))

    def create_challenge(self, terms: ChallengeTerms, *, against_bot: bool = False) -> Challenge:
        """Send a challenge."""
        assert against_bot
        if self.errors:
            raise self.errors.pop(0)
        self.sent.append(terms)
        return challenge(id=f"sent{len(self.sent)}")

    def cancel_challenge(self, challenge_id: str) -> None:
        """Cancel a challenge."""
        self.canceled.append(challenge_id)
        if self.cancel_errors:
            raise self.cancel_errors.pop()

    def account(self) -> Account:
        """Return our account."""
        self.accounts += 1
        return Account("me", "Me", current_ratings=self.ratings)

    def games_counted(self) -> int:
        """Return how many games with bots count for the day."""
        return self.sender._matchmaker.bot_games.at(1e9)

    def begin(self, game_id: str) -> None:
        """Let the challenge become a game."""
        self.slots.put(game_id, SlotUse.PLAYING, "other")
        self.sender.started(begun(game_id))


def test_one_at_a_time_and_none_beyond_the_slots() -> None:
    harness = SenderHarness("Other", "Third", "Fourth", concurrency=3, concurrent=2)
    for number in range(5):
        harness.sender.look(NOW_S + number)
    assert len(harness.sent) == 2
    full = SenderHarness("Other", concurrency=1)
    full.slots.put("somebody", SlotUse.OUTGOING, "alice")
    full.sender.look(NOW_S)
    assert full.listed == 0


def test_a_game_is_counted_once_and_the_next_challenge_waits_for_its_end() -> None:
    harness = SenderHarness("Other", "Third", concurrency=2, idle_s=30.0)
    harness.sender._busy_s = NOW_S - 60.0
    harness.sender.look(NOW_S)
    harness.begin("sent1")
    harness.sender.started(begun("somebody"))
    harness.sender.look(NOW_S + 1.0)
    assert harness.games_counted() == 2
    assert len(harness.sent) == 1
    harness.slots.release("sent1")
    harness.sender.look(NOW_S + 100.0)
    assert len(harness.sent) == 1  # the game has ended just now
    harness.sender.look(NOW_S + 131.0)
    assert len(harness.sent) == 2


def test_a_decline_is_remembered_and_somebody_else_is_asked_later() -> None:
    harness = SenderHarness("Other", "Third")
    harness.sender.look(NOW_S)
    harness.slots.release("sent1")
    harness.sender.challenge_declined("sent1", "toofast")
    harness.sender.challenge_declined("unknown", "later")
    harness.sender.look(NOW_S + 1.0)
    assert len(harness.sent) == 1
    harness.sender.look(NOW_S + 1.0 + FRUITLESS_PAUSES_S[0])
    assert {one.username for one in harness.sent} == {"Other", "Third"}
    assert "speed blitz" in harness.store.match_cool_downs(harness.sent[0].username.lower())


def test_the_pause_doubles_with_each_fruitless_challenge_in_a_row() -> None:
    harness = SenderHarness(*[f"Bot{number}" for number in range(20)])
    now_s, pauses = NOW_S, []
    for number in range(1, 10):
        harness.sender.look(now_s)
        harness.slots.release(f"sent{number}")
        if number == 9:
            harness.begin(f"sent{number}")
        else:
            harness.sender.challenge_declined(f"sent{number}", "generic")
        harness.sender.look(now_s)
        pauses.append(harness.sender._not_before_s - now_s)
        now_s = max(now_s, harness.sender._not_before_s)
    minutes = [pause_s / 60 for pause_s in pauses]
    assert minutes == [1, 2, 4, 8, 16, 32, 60, 60, 0]
    harness.slots.release("sent9")
    harness.sender.look(now_s + 1.0)
    harness.sender.challenge_declined("sent10", "generic")
    harness.sender.look(now_s + 2.0)
    assert harness.sender._not_before_s - now_s == 62.0  # the game ended the row


def test_what_nobody_answers_is_taken_back_and_counts_as_later() -> None:
    harness = SenderHarness("Other", cancel_after_s=20.0)
    harness.sender.look(NOW_S)
    harness.sender.look(NOW_S + 19.0)
    assert harness.canceled == []
    harness.sender.look(NOW_S + 20.0)
    harness.sender.look(NOW_S + 21.0)
    assert harness.canceled == ["sent1"]
    assert harness.slots.free() == 1
    harness.sender.look(NOW_S + 20.0 + ANSWER_GRACE_S)
    assert harness.store.match_cool_downs("other")["everything"].declines == 1


def test_a_challenge_accepted_while_it_was_taken_back_is_a_game() -> None:
    harness = SenderHarness("Other", cancel_after_s=20.0)
    harness.sender.look(NOW_S)
    harness.sender.look(NOW_S + 20.0)
    harness.begin("sent1")
    harness.sender.look(NOW_S + 20.0 + ANSWER_GRACE_S)
    assert harness.games_counted() == 1


def test_nobody_fits_and_the_list_is_left_alone_for_a_while() -> None:
    harness = SenderHarness()
    for seconds in (0.0, 5.0, NOBODY_PAUSE_S - 1.0, NOBODY_PAUSE_S):
        harness.sender.look(NOW_S + seconds)
    assert harness.listed == 2


def test_failures_free_the_slot_and_are_waited_for() -> None:
    for error, least_s in ((NetworkError("timed out"), 5.0), (RateLimited(86_400.0), 86_400.0)):
        harness = SenderHarness("Other", "Third")
        harness.errors = [error]
        harness.sender.look(NOW_S)
        assert harness.slots.free() == 1
        harness.sender.look(NOW_S + least_s - 1.0)
        assert harness.sent == []
        harness.sender.look(NOW_S + least_s + 15.0)
        assert len(harness.sent) == 1


@pytest.mark.parametrize(
    ("error", "asked_again_s", "declines"),
    [
        (Rejected(400, "Other does not accept challenges"), 3600.0, 1),
        (OpponentLimited(400, "Other played 100 games against other bots today", 7200.0), 7200.0, 0),
    ],
)
def test_a_bot_whose_challenges_the_server_refuses_is_not_asked_again_soon(
    error: LichessError, asked_again_s: float, declines: int
) -> None:
    harness = SenderHarness("Other")
    harness.errors = [error]
    harness.sender.look(NOW_S)
    harness.sender.look(NOW_S + 1000.0)
    assert harness.sent == []
    cool_down = harness.store.match_cool_downs("other")["everything"]
    assert (cool_down.until_s - 1e9, cool_down.declines) == (asked_again_s, declines)


def test_it_does_not_start_unless_it_is_switched_on() -> None:
    harness = SenderHarness("Other", enabled=False)
    harness.sender.start()
    assert not harness.sender._loop.running
    on = SenderHarness("Other")
    on.sender.start()
    assert on.sender._loop.running
    on.sender.close()
    assert on.sender._loop.join(30.0)


def test_a_pause_takes_back_what_was_asked_and_asks_nobody() -> None:
    harness = SenderHarness("Other", "Third", concurrency=3, concurrent=3)
    harness.sender.look(NOW_S)
    harness.admission.pause()
    harness.sender.look(NOW_S + 1.0)
    assert harness.canceled == ["sent1"]
    harness.sender.look(NOW_S + ANSWER_GRACE_S + 2.0)
    harness.sender.look(NOW_S + ANSWER_GRACE_S + 100.0)
    assert len(harness.sent) == 1
    harness.admission.resume()
    harness.sender.look(NOW_S + ANSWER_GRACE_S + 101.0)
    assert len(harness.sent) == 2


def test_a_bot_blocked_by_command_is_not_asked() -> None:
    harness = SenderHarness("Other")
    harness.admission.block("other")
    harness.sender.look(NOW_S)
    assert harness.sent == []


def test_where_matchmaking_is_off_no_event_waits_for_a_thread_that_never_comes() -> None:
    harness = SenderHarness("Other", enabled=False)
    harness.sender.started(begun("game0001"))
    harness.sender.challenge_declined("game0002", "later")
    assert harness.sender._events.empty()


def test_all_games_with_bots_count_for_the_day() -> None:
    harness = SenderHarness("Other", games_per_day=2, concurrency=3)
    human = GameInfo("game0003", Player("alice", "Alice"))
    for info in (begun("game0001"), begun("game0001"), human):
        harness.sender.started(info)
    harness.sender.look(NOW_S)
    assert (harness.games_counted(), len(harness.sent)) == (1, 1)
    full = SenderHarness("Other", games_per_day=1)
    full.sender.started(begun("game0001"))
    full.sender.look(NOW_S)
    assert full.sent == []


def test_a_challenge_that_was_sent_while_the_bot_ended_is_cancelled() -> None:
    harness = SenderHarness("Other")
    harness.sender.close()
    harness.sender.look(NOW_S)
    assert harness.canceled == ["sent1"]


def test_ratings_are_those_of_our_account_and_are_fetched_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = {"Abe": 1000, "Zed": 1000, "Other": 2050}
    bots = tuple(OnlineBot(name.lower(), name, {"blitz": rating}) for name, rating in ratings.items())
    harness = SenderHarness(profiles=[{"max_rating_difference": 100}])
    monkeypatch.setattr(harness, "online_bots", lambda: bots)
    harness.sender.look(NOW_S)
    assert harness.sent == []  # our rating is unknown
    harness.ratings = {"blitz": 2000}
    harness.sender.look(NOW_S + RATINGS_AGE_S - 1.0)
    assert (harness.sent, harness.accounts) == ([], 1)
    harness.sender.look(NOW_S + RATINGS_AGE_S + 60.0)
    assert [one.username for one in harness.sent] == ["Other"]


@pytest.mark.parametrize(
    ("profile", "sent"),
    [
        (
            {"limit_s": 60, "increment_s": 1, "mode": "rated", "variant": "atomic", "color": "white"},
            ChallengeTerms("Other", 60, 1, None, True, "atomic", "white"),
        ),
        ({"days": 3, "increment_s": 0}, ChallengeTerms("Other", None, 0, 3)),
    ],
)
def test_a_challenge_is_what_its_profile_says(profile: dict[str, Any], sent: ChallengeTerms) -> None:
    harness = SenderHarness("Other", profiles=[profile])
    harness.sender.look(NOW_S)
    assert harness.sent == [sent]
    (record,) = harness.slots.records()
    assert (record.game_id, record.use, record.opponent_id) == ("sent1", SlotUse.OUTGOING, "other")
    assert record.until_s is not None
    assert record.until_s - record.since_s == pytest.approx(OUTGOING_S)


@pytest.mark.parametrize(("concurrency", "reserved", "sent"), [(1, 1, 0), (2, 1, 1), (3, 1, 2), (3, 2, 1)])
def test_slots_reserved_for_people_are_left_to_them(concurrency: int, reserved: int, sent: int) -> None:
    harness = SenderHarness("Other", "Third", "Fourth", concurrency=concurrency, reserved=reserved, concurrent=5)
    for number in range(5):
        harness.sender.look(NOW_S + number)
    assert len(harness.sent) == sent


@pytest.mark.parametrize("use", [SlotUse.PLAYING, SlotUse.ACCEPTED])
def test_a_game_with_somebody_else_or_one_about_to_begin_is_no_idle_time(use: SlotUse) -> None:
    harness = SenderHarness("Other", concurrency=4, idle_s=30.0)
    harness.sender._busy_s = NOW_S - 60.0
    harness.slots.put("somebody", use, "alice")
    harness.sender.look(NOW_S)
    assert harness.sent == []
    harness.slots.put("somebody", SlotUse.PARKED, "alice")
    harness.sender.look(NOW_S + 29.0)
    assert harness.sent == []
    harness.sender.look(NOW_S + 30.0)
    assert len(harness.sent) == 1


@pytest.mark.parametrize(
    ("error", "least_s", "most_s"),
    [
        (NetworkError("cut"), 0.5 * FAILURE_PAUSES_S[0], 1.5 * FAILURE_PAUSES_S[0]),
        (RateLimited(100.0), 100.0, 100.0),
        (RateLimited(86_400.0), 86_400.0, 86_400.0),
    ],
)
def test_after_a_failure_it_waits_as_long_as_the_server_asks(
    error: LichessError, least_s: float, most_s: float
) -> None:
    harness = SenderHarness("Other")
    harness.list_errors = [error]
    harness.sender.look(NOW_S)
    assert least_s <= harness.sender._not_before_s - NOW_S <= most_s
    harness.sender.look(NOW_S + least_s - 1.0)
    assert harness.listed == 1
    harness.sender.look(NOW_S + most_s)
    assert harness.listed == 2


def test_failures_in_a_row_are_waited_for_ever_longer_until_a_challenge_is_sent() -> None:
    harness = SenderHarness("Other", "Third", concurrency=3, concurrent=3)
    harness.list_errors = [NetworkError("cut") for _ in range(8)]
    now_s = NOW_S
    for _ in range(8):
        harness.sender.look(now_s)
        pause_s, now_s = harness.sender._not_before_s - now_s, harness.sender._not_before_s
    assert pause_s >= 0.5 * FAILURE_PAUSES_S[1]
    harness.sender.look(now_s)
    assert len(harness.sent) == 1
    harness.list_errors = [NetworkError("cut")]
    harness.sender.look(now_s)
    assert harness.sender._not_before_s - now_s <= 1.5 * FAILURE_PAUSES_S[0]


def test_a_challenge_that_cannot_be_taken_back_keeps_its_slot_and_is_not_taken_back_twice() -> None:
    harness = SenderHarness("Other", cancel_after_s=20.0)
    harness.cancel_errors = [NetworkError("cut")]
    harness.sender.look(NOW_S)
    harness.sender.look(NOW_S + 20.0)
    harness.sender.look(NOW_S + 20.0 + ANSWER_GRACE_S - 1.0)
    assert harness.canceled == ["sent1"]
    assert harness.slots.free() == 0
    assert harness.store.match_cool_downs("other")["everything"].declines == 0
    harness.sender.look(NOW_S + 20.0 + ANSWER_GRACE_S)
    assert harness.store.match_cool_downs("other")["everything"].declines == 1


def test_bots_on_a_list_of_the_configuration_are_not_asked() -> None:
    harness = SenderHarness("Other", "Third", block=["/list.txt"])
    harness.sender._listed = lambda users, user_id: users == ("/list.txt",) and user_id == "other"
    harness.sender.look(NOW_S)
    assert [one.username for one in harness.sent] == ["Third"]
