"""What matchmaking sends, whom it leaves in peace, and how long it waits after a failure."""

from __future__ import annotations

from typing import Any

import pytest

from bot.account.challenges.match_sender import ANSWER_GRACE_S, FAILURE_PAUSES_S
from bot.account.slots import OUTGOING_S, SlotUse
from bot.errors import LichessError, NetworkError, RateLimited, Rejected
from tests.bot.account.challenges.test_match_sender import NOW_S, SenderHarness


@pytest.mark.parametrize(
    ("profile", "sent", "terms"),
    [
        (
            {"limit_s": 60, "increment_s": 1, "mode": "rated", "variant": "atomic", "color": "white"},
            ("Other", True, 60, 1),
            {"days": None, "color": "white", "variant": "atomic"},
        ),
        (
            {"days": 3, "increment_s": 0},
            ("Other", False, None, 0),
            {"days": 3, "color": "random", "variant": "standard"},
        ),
    ],
)
def test_a_challenge_is_what_its_profile_says(
    profile: dict[str, Any], sent: tuple[Any, ...], terms: dict[str, Any]
) -> None:
    harness = SenderHarness("Other", profiles=[profile])
    harness.sender.look(NOW_S)
    assert harness.sent == [sent]
    assert terms.items() <= harness.terms[0].items()
    assert harness.terms[0]["against_bot"] is True
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


def test_no_answer_to_a_challenge_is_no_decline() -> None:
    for error, declines in ((NetworkError("cut"), 0), (Rejected(400, "no"), 1)):
        harness = SenderHarness("Other")
        harness.errors = [error]
        harness.sender.look(NOW_S)
        assert harness.store.match_cool_downs("other")["everything"].declines == declines


def test_bots_on_a_list_of_the_configuration_are_not_asked() -> None:
    harness = SenderHarness("Other", "Third", block=["/list.txt"])
    harness.sender._listed = lambda users, user_id: users == ("/list.txt",) and user_id == "other"
    harness.sender.look(NOW_S)
    assert [name for name, *_ in harness.sent] == ["Third"]
