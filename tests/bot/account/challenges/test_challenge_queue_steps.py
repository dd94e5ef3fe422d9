"""The challenge queue step by step, without its thread and with a fake clock."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.account.challenges import challenge_queue
from bot.account.challenges.challenge_queue import (
    ACCEPT_TRIES,
    LONG_LIMIT_S,
    MOST_WITHOUT_PROFILE,
    RETRY_PAUSES_S,
    ChallengeQueue,
)
from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles, RecentGames, no_games
from bot.account.slots import ACCEPTED_S, CONFIRMED_S, Slots, SlotUse
from bot.errors import LichessError, NetworkError, RateLimited, Rejected, ServerError
from bot.events.account import Challenge
from bot.events.game import Player
from bot.lichess.values import UserProfile
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_queue import Server
from tests.bot.account.challenges.test_challenge_rules import BOT, challenge

NOW_S = 1000.0

NEEDS_PROFILE = {"opponents": "human", "max_games": 4, "decline": "generic"}


class Steps:
    """A queue that was not started."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        *errors: LichessError,
        concurrency: int = 1,
        recent_games: RecentGames = no_games,
        **rules: Any,
    ) -> None:
        self.clock = [NOW_S]
        monkeypatch.setattr(challenge_queue, "time", SimpleNamespace(monotonic=lambda: self.clock[0]))
        self.server = Server(*errors)
        self.slots = Slots(concurrency, lambda: self.clock[0])
        settings = Settings.model_validate(
            {"concurrency": concurrency, "challenges": {"games_per_opponent": 9} | rules}
        )
        judge = ChallengeJudge(settings, self.slots, Profiles(self.server), recent_games=recent_games)
        self.queue = ChallengeQueue(self.server, judge)

    def receive(self, one: Challenge) -> None:
        """Take in a challenge and judge it, except for what needs a request."""
        self.queue.receive(one)
        while (candidate := self.queue._unjudged.get(one.id)) is not None and not candidate.needs_profile:
            task = self.queue._next_judgement()
            assert task is not None
            task()

    def work_at(self, now_s: float) -> int:
        """Run all tasks that are due at a moment. Return their number."""
        self.clock[0] = now_s
        done = 0
        while (task := self.queue._next()) is not None:
            task()
            done += 1
        return done

    def holds(self, challenge_id: str) -> float | None:
        """Return until when the challenge holds a slot, None if it holds none."""
        record = self.slots.get(challenge_id)
        return None if record is None else record.until_s


def test_a_limit_frees_the_slot_and_lets_the_challenge_wait_for_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, RateLimited(30.0))
    steps.receive(challenge())
    assert steps.work_at(NOW_S) == 1
    assert steps.slots.free() == 1
    assert [one.id for one in steps.queue.waiting()] == ["chall001"]
    assert steps.work_at(NOW_S + 29.0) == 0
    assert steps.work_at(NOW_S + 30.0) == 1
    assert steps.server.accepted == ["chall001"]
    assert steps.holds("chall001") == NOW_S + 30.0 + CONFIRMED_S
    assert steps.queue.waiting() == ()


@pytest.mark.parametrize(("limit_s", "waits"), [(LONG_LIMIT_S, True), (LONG_LIMIT_S + 1.0, False)])
def test_nobody_waits_for_a_long_limit(monkeypatch: pytest.MonkeyPatch, limit_s: float, waits: bool) -> None:
    steps = Steps(monkeypatch, RateLimited(limit_s))
    steps.receive(challenge())
    steps.work_at(NOW_S)
    assert len(steps.queue.waiting()) == waits
    assert steps.server.declined == [("chall001", "later")] * (not waits)
    steps.receive(challenge(id="next"))  # only what waits is delayed
    assert steps.work_at(NOW_S) == (not waits)


def test_a_limit_met_while_the_queue_is_full_declines(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, RateLimited(30.0), queue=1)
    steps.receive(challenge(id="first"))
    task = steps.queue._next()
    steps.receive(challenge(id="second"))
    assert task is not None
    task()
    steps.work_at(NOW_S)
    assert steps.server.declined == [("first", "later")]


@pytest.mark.parametrize("error", [NetworkError("timed out"), ServerError(502)])
def test_without_an_answer_it_is_repeated_a_few_times_and_then_its_slot_lapses(
    monkeypatch: pytest.MonkeyPatch, error: LichessError
) -> None:
    steps = Steps(monkeypatch, *[error] * 20)
    steps.receive(challenge())
    moments = [NOW_S]
    steps.work_at(NOW_S)
    while steps.queue._unanswered:
        due_s = steps.queue._retry_after_s
        assert steps.work_at(due_s - 0.01) == 0
        assert steps.holds("chall001") == moments[-1] + ACCEPTED_S
        moments.append(due_s)
        assert steps.work_at(due_s) == 1
    assert len(moments) == steps.server.tried == ACCEPT_TRIES
    assert moments[1] - moments[0] <= 1.5 * RETRY_PAUSES_S[0]
    assert moments[-1] - moments[-2] >= 0.5 * RETRY_PAUSES_S[1]
    assert steps.work_at(moments[-1] + 10.0) == 0
    assert steps.slots.free() == 0  # one of them may have arrived
    assert steps.queue.outcomes() == {"accepted": 0, "declined": 0, "failed": ACCEPT_TRIES}
    steps.clock[0] = moments[-1] + ACCEPTED_S
    assert steps.slots.free() == 1


def test_a_server_that_does_not_answer_is_asked_about_one_challenge_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, *[ServerError(502)] * 3, Rejected(400, "gone"), concurrency=6)
    ids = [f"chall{number}" for number in range(6)]
    for one in ids[:4]:
        steps.receive(challenge(id=one))
    assert steps.work_at(NOW_S) == 1
    assert steps.work_at(steps.queue._retry_after_s) == 1
    for one in ids[4:]:
        steps.receive(challenge(id=one))
    assert steps.work_at(steps.queue._retry_after_s - 0.01) == 0
    assert steps.work_at(steps.queue._retry_after_s) == 1
    assert steps.work_at(steps.queue._retry_after_s) == 6  # the first answer, and then all others
    assert sorted(steps.server.accepted) == ids[1:]


@pytest.mark.parametrize("what", ["begun", "canceled", "lapsed"])
def test_what_has_become_a_game_or_nothing_is_not_accepted_again(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    steps = Steps(monkeypatch, NetworkError("timed out"))
    steps.receive(challenge())
    steps.work_at(NOW_S)
    if what == "begun":
        steps.slots.put("chall001", SlotUse.PLAYING, "alice")
    elif what == "canceled":
        steps.queue.canceled("chall001")
    else:
        steps.slots.release("chall001")
    assert steps.work_at(NOW_S + 20.0) == 0
    assert steps.server.tried == 1


@pytest.mark.parametrize(("first", "is_held"), [((), False), ((NetworkError("timed out"),), True)])
def test_a_refusal_frees_the_slot_unless_an_earlier_acceptance_may_have_arrived(
    monkeypatch: pytest.MonkeyPatch, first: tuple[LichessError, ...], is_held: bool
) -> None:
    steps = Steps(monkeypatch, *first, Rejected(400, "The challenge has been canceled."))
    steps.receive(challenge())
    steps.work_at(NOW_S)
    steps.work_at(NOW_S + 20.0)
    assert (steps.slots.free() == 0) is is_held
    assert (steps.server.accepted, steps.server.declined) == ([], [])
    assert steps.work_at(NOW_S + 25.0) == 0


@pytest.mark.parametrize("waits", [True, False])
def test_after_its_end_nothing_more_is_answered(monkeypatch: pytest.MonkeyPatch, waits: bool) -> None:
    steps = Steps(monkeypatch)
    if waits:
        steps.receive(challenge())
    steps.queue.close()
    steps.queue._work()
    assert steps.server.tried == 0


def test_an_acceptance_under_way_is_not_begun_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, NetworkError("timed out"))
    steps.receive(challenge())
    steps.work_at(NOW_S)
    steps.clock[0] = NOW_S + 20.0
    assert steps.queue._next() is not None
    assert steps.queue._next() is None


def test_acceptances_come_before_accounts_and_accounts_before_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, allow=["bob"], opponents=["human"], rules=NEEDS_PROFILE)
    steps.server.profile = UserProfile(games=7)
    steps.receive(challenge(id="refused", challenger=BOT))
    steps.receive(challenge(id="unknown"))
    steps.receive(challenge(id="known", challenger=Player("bob", "Bob")))
    said = []
    while (task := steps.queue._next()) is not None:
        task()
        said.append((list(steps.server.accepted), list(steps.server.asked), len(steps.server.declined)))
    assert said == [(["known"], [], 0), (["known"], ["alice"], 0), (["known"], ["alice"], 1)]
    assert [one.id for one in steps.queue.waiting()] == ["unknown"]


def test_a_challenge_taken_back_while_its_challenger_is_looked_at_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = Steps(monkeypatch, rules=NEEDS_PROFILE)
    steps.receive(challenge())
    task = steps.queue._next()
    steps.queue.canceled("chall001")
    assert task is not None
    task()
    assert steps.work_at(NOW_S) == 0
    assert steps.queue.waiting() == ()
    assert steps.server.declined == []


@pytest.mark.parametrize(
    ("profile", "playable", "declined"),
    [
        (UserProfile(games=7), True, []),
        (UserProfile(games=7), False, [("chall001", "generic")]),
        (UserProfile(games=4), True, [("chall001", "generic")]),
        (NetworkError("cut"), True, [("chall001", "later")]),
    ],
)
def test_a_challenge_is_judged_again_with_the_profile_of_its_challenger(
    monkeypatch: pytest.MonkeyPatch,
    profile: UserProfile | LichessError,
    playable: bool,
    declined: list[tuple[str, str]],
) -> None:
    steps = Steps(monkeypatch, rules=NEEDS_PROFILE)
    steps.server.profile = profile
    steps.receive(challenge(playable=playable))
    steps.work_at(NOW_S)
    assert steps.server.declined == declined


def test_a_repeated_challenge_is_one_wherever_it_waits(monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]) -> None:
    steps = Steps(monkeypatch, rules=NEEDS_PROFILE, opponents=["human"])
    steps.server.profile = UserProfile(games=7)
    for _ in range(3):
        steps.receive(challenge(id="unjudged"))
        steps.receive(challenge(id="refused", challenger=BOT))
    assert [(line["event"], line["challenge_id"]) for line in logs] == [("challenge_refused", "refused")]
    steps.work_at(NOW_S)
    steps.receive(challenge(id="unjudged"))
    steps.work_at(NOW_S)
    assert steps.server.accepted == ["unjudged"]
    assert steps.server.declined == [("refused", "noBot")]
    assert steps.server.asked == ["alice"]


def test_only_so_many_challenges_of_one_user_wait_whether_looked_at_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, games_per_opponent=2, rules=NEEDS_PROFILE)
    steps.slots.put("other", SlotUse.PLAYING, "bob")
    steps.server.profile = UserProfile(games=7)
    steps.receive(challenge(id="c0"))
    steps.work_at(NOW_S)
    for number in (1, 2):
        steps.receive(challenge(id=f"c{number}"))
    steps.work_at(NOW_S)
    assert [one.id for one in steps.queue.waiting()] == ["c0", "c1"]
    assert steps.server.declined == [("c2", "later")]


def test_challenges_without_a_profile_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, rules=[{"max_games": 4, "decline": "generic"}])
    for number in range(MOST_WITHOUT_PROFILE + 3):
        steps.receive(challenge(id=f"c{number}"))
    assert len(steps.queue._unjudged) == MOST_WITHOUT_PROFILE
    assert len(steps.queue._refusals) == 3


@pytest.mark.parametrize(
    ("rules", "counted"), [((), []), ({"opponents": "bot", "min_recent_games": 3, "decline": "later"}, [BOT.id])]
)
def test_recent_games_are_counted_only_if_a_limit_needs_them(
    monkeypatch: pytest.MonkeyPatch, rules: object, counted: list[str]
) -> None:
    asked: list[str] = []

    def recent_games(opponent_id: str, _seconds: float) -> int:
        asked.append(opponent_id)
        return 3

    steps = Steps(monkeypatch, recent_games=recent_games, rules=rules)
    steps.receive(challenge(challenger=BOT))
    steps.receive(challenge(id="human"))
    assert asked == counted


def test_the_log_names_what_became_of_a_challenge(monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]) -> None:
    steps = Steps(monkeypatch, variants=["standard"])
    steps.receive(challenge(id="c1"))
    steps.receive(challenge(id="c2", variant="atomic"))
    told = [(line["challenge_id"], line["event"], line.get("reason")) for line in logs]
    assert told == [("c1", "challenge_queued", None), ("c2", "challenge_refused", "variant")]


def test_the_lock_is_free_while_a_challenge_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def recent_games(_opponent_id: str, _seconds: float) -> int:
        assert steps.queue._condition.acquire(blocking=False), "the account's reader would wait for the store"
        steps.queue._condition.release()
        return 0

    steps = Steps(monkeypatch, recent_games=recent_games, rules={"min_recent_games": 3, "decline": "later"})
    thread = threading.Thread(target=steps.receive, args=(challenge(),))
    thread.start()
    thread.join()
    assert [one.id for one in steps.queue.waiting()] == ["chall001"]


def test_sent_challenges_are_cancelled_first_and_repeated_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, concurrency=3)
    no_answer, refused = NetworkError("timed out"), Rejected(404, "no such challenge")
    steps.server.cancel_answers = [no_answer, None, no_answer, refused]
    steps.receive(challenge())
    for challenge_id in ("one", "two"):
        steps.slots.put(challenge_id, SlotUse.OUTGOING, "bob", 60.0)
    steps.queue.cancel(["one", "two"])
    steps.work_at(NOW_S)
    assert steps.server.canceled == ["one", "two", "one", "one"]
    assert steps.holds("one") is not None  # refused: it may have become a game
    assert steps.holds("two") is None
