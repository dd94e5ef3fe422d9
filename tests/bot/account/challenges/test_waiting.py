"""Challenges that wait for a slot, in order; challenges to decline, at a pace and bounded."""

from __future__ import annotations

import pytest
from structlog.typing import EventDict

from bot.account.challenges import waiting as waiting_challenges
from bot.account.challenges.waiting import (
    BURST,
    EVERY_S,
    LONGEST_PAUSE_S,
    MAX_WAITING,
    NO_ANSWER_PAUSE_S,
    TRIES,
    AcceptableChallenges,
    Refusals,
)
from bot.errors import NetworkError, NotFound, RateLimited
from bot.events.game import Player
from bot.settings import ChallengeSettings
from tests.bot.account.challenges.test_challenge_rules import BOT, challenge

NOW_S = 1000.0


def queue_with(count: int) -> Refusals:
    """Return a queue of challenges to decline, named c0, c1 ..."""
    queue = Refusals()
    for number in range(count):
        queue.add(challenge(id=f"c{number}"), "later")
    return queue


def taken(queue: Refusals, now_s: float) -> list[str]:
    """Return the challenges that may be declined at a moment."""
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


def test_a_flood_is_bounded_and_named_once(logs: list[EventDict]) -> None:
    queue = queue_with(MAX_WAITING + 900)
    assert len(queue) == MAX_WAITING
    sent = [one for second in range(2 * MAX_WAITING) for one in taken(queue, NOW_S + second * EVERY_S)]
    assert len(sent) == MAX_WAITING
    assert [line["event"] for line in logs] == ["challenge_flood", "challenges_left_unanswered"]
    assert logs[-1]["count"] == 900


def test_a_challenge_taken_back_needs_no_refusal() -> None:
    queue = queue_with(2)
    queue.remove("c0")
    queue.remove("unknown")
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
    monkeypatch.setattr(waiting_challenges, "EVERY_S", 2.0)
    queue = queue_with(3)
    refusal = queue.take(NOW_S)
    assert refusal is not None
    queue.failed(refusal, RateLimited(30.0), NOW_S)
    assert [taken(queue, NOW_S + after_s) for after_s in (29.0, 30.0, 31.0, 32.0)] == [[], ["c1"], [], ["c2"]]


def ids(waiting: AcceptableChallenges) -> list[str]:
    """Return the queue in order."""
    return [one.id for one in waiting.in_order()]


def test_a_server_that_does_not_answer_delays_all_of_them() -> None:
    queue = queue_with(3)
    refusal = queue.take(NOW_S)
    assert refusal is not None
    queue.failed(refusal, NetworkError("timed out"), NOW_S)
    moments = (0.0, NO_ANSWER_PAUSE_S - 0.1, NO_ANSWER_PAUSE_S, NO_ANSWER_PAUSE_S + 1.0)
    assert [taken(queue, NOW_S + after_s) for after_s in moments] == [[], [], ["c1"], ["c2"]]


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
        waiting = AcceptableChallenges(ChallengeSettings.model_validate({"order": order}))
        assert all(waiting.add(guest) for guest in guests)
        assert ids(waiting) == expected


def test_a_challenge_for_the_next_free_slot_waits_even_without_a_queue() -> None:
    waiting = AcceptableChallenges(ChallengeSettings(queue=0))
    assert [waiting.add(challenge(id=challenge_id)) for challenge_id in ("one", "two")] == [True, False]


def test_the_queue_is_bounded_and_can_be_left() -> None:
    waiting = AcceptableChallenges(ChallengeSettings(queue=2))
    assert waiting.add(challenge(id="one"))
    assert waiting.add(challenge(id="two"))
    assert not waiting.add(challenge(id="three"))
    assert waiting.add(challenge(id="one"))  # repeated by the stream: no second place
    assert waiting.count_from("alice") == 2
    waiting.remove("one")
    waiting.remove("unknown")
    assert ids(waiting) == ["two"]
    assert "two" in waiting
