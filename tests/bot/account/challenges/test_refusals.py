"""Refusals go out at a pace, and no more of them wait than a bound."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from bot.account.challenges import refusals
from bot.account.challenges.refusals import BURST, EVERY_S, LONGEST_PAUSE_S, MAX_WAITING, TRIES, RefusalQueue
from bot.errors import NetworkError, NotFound, RateLimited, Rejected
from tests.bot.account.challenges.test_challenge_queue import Server, queue_of
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.processes import wait_until

NOW_S = 1000.0


def queue_with(count: int) -> RefusalQueue:
    """A queue of so many refusals, named c0, c1 ..."""
    queue = RefusalQueue()
    for number in range(count):
        queue.add(challenge(id=f"c{number}"), "later")
    return queue


def taken(queue: RefusalQueue, now_s: float) -> list[str]:
    """All that may be sent at a moment."""
    found = []
    while (refusal := queue.take(now_s)) is not None:
        found.append(refusal.challenge.id)
    return found


def test_a_burst_goes_out_at_once_and_the_rest_evenly() -> None:
    queue = queue_with(BURST + 3)
    assert taken(queue, NOW_S) == [f"c{number}" for number in range(BURST)]
    assert taken(queue, NOW_S + EVERY_S / 2) == []
    assert taken(queue, NOW_S + EVERY_S) == [f"c{BURST}"]
    assert taken(queue, NOW_S + 10 * EVERY_S) == [f"c{BURST + 1}", f"c{BURST + 2}"]


def test_a_flood_is_bounded_and_named_once() -> None:
    with capture_logs() as lines:
        queue = queue_with(MAX_WAITING + 900)
        assert len(queue) == MAX_WAITING
        sent = [one for second in range(2 * MAX_WAITING) for one in taken(queue, NOW_S + second * EVERY_S)]
    assert len(sent) == MAX_WAITING
    assert [line["event"] for line in lines] == ["challenge_flood", "challenges_left_unanswered"]
    assert lines[-1]["count"] == 900


def test_a_challenge_taken_back_needs_no_refusal() -> None:
    queue = queue_with(2)
    queue.remove("c0")
    queue.remove("never came")
    assert "c0" not in queue
    assert taken(queue, NOW_S) == ["c1"]


def test_without_an_answer_it_is_sent_again_a_few_times() -> None:
    queue = queue_with(1)
    for attempt in range(TRIES):
        refusal = queue.take(NOW_S + 100.0 * attempt)
        assert refusal is not None
        queue.failed(refusal, NetworkError("timed out"), NOW_S)
    assert len(queue) == 0


def test_a_refused_refusal_is_not_repeated() -> None:
    queue = queue_with(1)
    refusal = queue.take(NOW_S)
    assert refusal is not None
    queue.failed(refusal, NotFound(404), NOW_S)
    assert len(queue) == 0


def test_a_limit_delays_all_of_them_but_not_for_ever() -> None:
    queue = queue_with(2)
    refusal = queue.take(NOW_S)
    assert refusal is not None
    queue.failed(refusal, RateLimited(1e9), NOW_S)
    assert taken(queue, NOW_S + LONGEST_PAUSE_S - 1.0) == []
    assert len(taken(queue, NOW_S + LONGEST_PAUSE_S + 1.0)) >= 1


def test_after_a_limit_they_go_out_one_by_one_at_their_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "EVERY_S", 2.0)
    queue = queue_with(3)
    refusal = queue.take(NOW_S)
    assert refusal is not None
    queue.failed(refusal, RateLimited(30.0), NOW_S)
    assert [taken(queue, NOW_S + after_s) for after_s in (29.0, 30.0, 31.0, 32.0)] == [[], ["c1"], [], ["c2"]]


def test_a_challenge_taken_back_at_the_last_moment_is_no_warning() -> None:
    server = Server(Rejected(400, "The challenge has been canceled."), *[NetworkError("gone")] * 9)
    with capture_logs() as lines:
        queue, _slots = queue_of(server)
        queue.receive(challenge(id="canceled"))
        assert wait_until(lambda: queue.outcomes()["failed"] == 1)
        queue.receive(challenge(id="unheard"))
        assert wait_until(lambda: queue.outcomes()["failed"] == 2)
        queue.close()
    told = [(line["challenge_id"], line["log_level"]) for line in lines if line["event"] == "challenge_not_accepted"]
    assert told == [("canceled", "info"), ("unheard", "warning")]
