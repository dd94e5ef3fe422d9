"""The challenge queue with its thread: accepts, queues and declines, whatever the server answers."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.account.challenges import challenge_queue, waiting
from bot.account.challenges.challenge_queue import ChallengeQueue
from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles
from bot.account.slots import Slots
from bot.errors import LichessError, NetworkError, Rejected
from bot.lichess.values import UserProfile
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_rules import BOT, challenge
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until
from tests.helpers.server import StubServer


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenge_queue, "RETRY_PAUSES_S", (0.01, 0.02))
    monkeypatch.setattr(challenge_queue, "IDLE_S", 0.01)


class Server(StubServer):
    """Raises the errors of the test in turn, then succeeds."""

    def __init__(self, *errors: LichessError) -> None:
        self.errors = list(errors)
        self.accepted: list[str] = []
        self.declined: list[tuple[str, str]] = []
        self.tried = 0
        self.asked: list[str] = []
        self.profile: UserProfile | LichessError = UserProfile()
        self.gate = threading.Event()
        self.gate.set()
        self.canceled: list[str] = []
        self.cancel_answers: list[LichessError | None] = []

    def user_profile(self, user_id: str) -> UserProfile:
        """Return the profile of the test."""
        self.asked.append(user_id)
        if isinstance(self.profile, LichessError):
            raise self.profile
        return self.profile

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept a challenge."""
        self.gate.wait(60)
        self.tried += 1
        if self.errors:
            raise self.errors.pop(0)
        self.accepted.append(challenge_id)

    def cancel_challenge(self, challenge_id: str) -> None:
        """Cancel a challenge of ours."""
        self.canceled.append(challenge_id)
        if self.cancel_answers and (error := self.cancel_answers.pop(0)) is not None:
            raise error

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline a challenge."""
        self.declined.append((challenge_id, reason))


def queue_of(server: Server, concurrency: int = 2, **rules: Any) -> tuple[ChallengeQueue, Slots]:
    """Return a started queue and its slots."""
    settings = Settings.model_validate({"concurrency": concurrency, "challenges": {"games_per_opponent": 9} | rules})
    slots = Slots(concurrency)
    queue = closed_at_end(ChallengeQueue(server, ChallengeJudge(settings, slots, Profiles(server))))
    queue.start()
    return queue, slots


def test_no_more_are_accepted_than_there_are_slots() -> None:
    server = Server()
    queue, slots = queue_of(server)
    for number in range(4):
        queue.receive(challenge(id=f"c{number}"))
    assert wait_until(lambda: [one.id for one in queue.waiting()] == ["c2", "c3"])  # acceptances come before judgements
    assert server.accepted == ["c0", "c1"]
    queue.canceled("c2")
    slots.release("c0")
    queue.wake()
    assert wait_until(lambda: server.accepted == ["c0", "c1", "c3"])


def test_reasons_reach_the_server_and_a_full_queue_says_later() -> None:
    server = Server()
    server.gate.clear()
    queue, _ = queue_of(server, concurrency=1, queue=1, opponents=["human"])
    queue.receive(challenge(id="bot", challenger=BOT))
    assert wait_until(lambda: server.declined == [("bot", "noBot")])
    queue.receive(challenge(id="first"))
    assert wait_until(lambda: not queue.waiting())
    queue.receive(challenge(id="second"))
    queue.receive(challenge(id="third"))
    server.gate.set()
    assert wait_until(lambda: ("third", "later") in server.declined)


def test_slots_reserved_for_people_are_not_given_to_bots() -> None:
    server = Server()
    queue, _ = queue_of(server, concurrency=2, reserved_for_humans=1)
    queue.receive(challenge(id="bot1", challenger=BOT))
    queue.receive(challenge(id="bot2", challenger=BOT))
    assert wait_until(lambda: server.accepted == ["bot1"])
    queue.receive(challenge(id="human"))
    assert wait_until(lambda: server.accepted == ["bot1", "human"])
    assert [one.id for one in queue.waiting()] == ["bot2"]


def test_a_flood_of_challenges_is_declined_at_a_pace_and_ordinary_work_goes_first() -> None:
    server = Server()
    queue, _ = queue_of(server, opponents=["human"])
    for number in range(1000):
        queue.receive(challenge(id=f"flood{number}", challenger=BOT))
    queue.receive(challenge(id="human"))
    assert wait_until(lambda: server.accepted == ["human"])
    assert len(server.declined) <= waiting.BURST + 5
    assert len(queue._refusals) <= waiting.MAX_WAITING


def test_a_fault_of_ours_does_not_end_the_answering() -> None:
    server = Server(RecursionError("nested too deep"))  # type: ignore[arg-type]  # no error of the tree
    queue, _slots = queue_of(server)
    queue.receive(challenge(id="unlucky"))
    assert wait_until(lambda: server.tried == 1)
    queue.receive(challenge(id="next"))
    assert wait_until(lambda: server.accepted == ["next"])


def test_when_the_bot_ends_everything_is_declined() -> None:
    server = Server()
    queue, _ = queue_of(server, concurrency=1)
    queue.receive(challenge(id="runs"))
    queue.receive(challenge(id="waits"))
    assert wait_until(lambda: server.accepted == ["runs"])
    queue.stop_accepting()
    queue.receive(challenge(id="comes"))
    assert wait_until(lambda: sorted(server.declined) == [("comes", "later"), ("waits", "later")])
    queue.close()
    assert wait_until(lambda: not queue._loop.running)


def test_answers_are_counted_by_outcome() -> None:
    server = Server(NetworkError("no answer"))
    queue, _slots = queue_of(server, concurrency=1, variants=["standard"])
    queue.receive(challenge(id="aaaaaaaa"))
    queue.receive(challenge(id="bbbbbbbb", variant="atomic"))
    assert wait_until(lambda: queue.outcomes() == {"accepted": 1, "declined": 1, "failed": 1})


def test_a_challenge_taken_back_at_the_last_moment_is_no_warning(logs: list[EventDict]) -> None:
    server = Server(Rejected(400, "The challenge has been canceled."), *[NetworkError("gone")] * 9)
    queue, _slots = queue_of(server)
    queue.receive(challenge(id="canceled"))
    assert wait_until(lambda: queue.outcomes()["failed"] == 1)
    queue.receive(challenge(id="unheard"))
    assert wait_until(lambda: queue.outcomes()["failed"] >= 2)
    told = [(line["challenge_id"], line["log_level"]) for line in logs if line["event"] == "challenge_not_accepted"]
    assert told[:2] == [("canceled", "info"), ("unheard", "warning")]
