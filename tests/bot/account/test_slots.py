"""Slots and who holds them."""

from __future__ import annotations

import threading

from bot.account.challenges.challenge_queue import ChallengeQueue
from bot.account.slots import ACCEPTED_S, CONFIRMED_S, OUTGOING_S, SlotRecord, Slots, SlotUse
from bot.errors import NetworkError
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_queue import Server
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.processes import wait_until


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_everything_that_may_become_a_game_holds_a_slot_once() -> None:
    slots = Slots(3)
    assert slots.reserve("accepted", "a")
    slots.put("outgoing", SlotUse.OUTGOING, "b", OUTGOING_S)
    assert slots.free() == 1
    slots.put("accepted", SlotUse.PLAYING, "a")
    slots.put("accepted", SlotUse.PLAYING, "a")  # gameStart repeated
    assert slots.free() == 1
    slots.put("parked", SlotUse.PARKED, "c")
    assert slots.free() == 1


def test_a_record_says_who_since_when_and_until_when() -> None:
    clock = Clock()
    slots = Slots(9, clock)
    clock.now_s = 100.0
    assert slots.reserve("accepted", "a")
    assert slots.put_if_absent("sent", SlotUse.OUTGOING, "b", 7.0)
    assert not slots.put_if_absent("sent", SlotUse.OUTGOING, "c", 9.0)
    slots.put("bounded", SlotUse.OUTGOING, "d", 5.0)
    slots.put("game", SlotUse.PLAYING, "e")
    clock.now_s = 101.0
    slots.renew("accepted", 50.0)
    slots.renew("sent", 50.0)
    assert slots.records() == (
        SlotRecord("accepted", SlotUse.ACCEPTED, "a", 100.0, 151.0),
        SlotRecord("sent", SlotUse.OUTGOING, "b", 100.0, 107.0),
        SlotRecord("bounded", SlotUse.OUTGOING, "d", 100.0, 105.0),
        SlotRecord("game", SlotUse.PLAYING, "e", 100.0, None),
    )
    clock.now_s = 107.0
    assert slots.put_if_absent("sent", SlotUse.OUTGOING, "c", 9.0)  # the earlier one has lapsed


def test_what_has_lapsed_makes_room_for_a_reservation() -> None:
    clock = Clock()
    slots = Slots(1, clock)
    assert slots.reserve("one", "a")
    clock.now_s = ACCEPTED_S - 1
    assert not slots.reserve("two", "b")
    clock.now_s = ACCEPTED_S
    assert slots.reserve("two", "b")
    assert not slots.release_if("one", SlotUse.ACCEPTED)
    assert slots.release_if("two", SlotUse.OUTGOING, SlotUse.ACCEPTED)


def test_no_reservation_beyond_the_slots_nor_twice_for_one_id() -> None:
    slots = Slots(1)
    assert slots.reserve("one", "a")
    assert not slots.reserve("one", "a")
    assert not slots.reserve("two", "b")
    for _ in range(2):
        slots.release("one")
    assert slots.reserve("two", "b")


def test_resumed_games_count_though_they_are_too_many() -> None:
    slots = Slots(1)
    for game_id in "abc":
        slots.put(game_id, SlotUse.PLAYING, game_id)
    assert slots.free() == -2
    slots.release("a")
    slots.release("b")
    assert not slots.reserve("new", "x")


def test_slots_can_be_kept_for_others() -> None:
    slots = Slots(2)
    assert not slots.reserve("bot", "b", keep_free=2)
    assert slots.reserve("bot", "b", keep_free=1)


def test_a_due_game_comes_before_any_other() -> None:
    slots = Slots(2)
    slots.put("one", SlotUse.PLAYING, "a")
    slots.put("two", SlotUse.PLAYING, "b")
    assert not slots.begin_if_free("due", "c")
    assert slots.free() == -1
    slots.release("one")
    assert not slots.reserve("challenge", "d")
    assert slots.begin_if_free("due", "c")
    assert slots.begin_if_free("due", "c")  # it holds its slot
    record = slots.get("due")
    assert record is not None
    assert record.use is SlotUse.PLAYING


def test_what_never_begins_lapses() -> None:
    clock = Clock()
    slots = Slots(2, clock)
    slots.reserve("accepted", "a")
    slots.put("outgoing", SlotUse.OUTGOING, "b", OUTGOING_S)
    clock.now_s = ACCEPTED_S
    assert [record.game_id for record in slots.records()] == ["outgoing"]
    clock.now_s = OUTGOING_S
    assert slots.free() == 2
    assert slots.get("outgoing") is None


def test_a_game_never_lapses_and_is_not_released_as_a_challenge() -> None:
    clock = Clock()
    slots = Slots(1, clock)
    slots.reserve("one", "a")
    slots.put("one", SlotUse.PLAYING, "a")
    clock.now_s = 1e9
    assert not slots.release_if("one", SlotUse.ACCEPTED, SlotUse.OUTGOING)
    assert slots.free() == 0
    assert slots.release_if("one", SlotUse.PLAYING)
    assert not slots.release_if("one", SlotUse.PLAYING)


def test_many_threads_never_get_more_slots_than_there_are() -> None:
    slots = Slots(5)
    got: list[bool] = []
    threads = [threading.Thread(target=lambda n=n: got.append(slots.reserve(f"id{n}", str(n)))) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(got) == 5
    assert slots.free() == 0


def test_an_accepted_challenge_is_held_anew_after_each_answer() -> None:
    clock = Clock()
    slots = Slots(1, clock)
    assert slots.reserve("slow", "a")
    clock.now_s = ACCEPTED_S - 1  # the acceptance was repeated until now
    slots.renew("slow", CONFIRMED_S)
    clock.now_s += CONFIRMED_S - 1
    assert slots.free() == 0
    clock.now_s += 2
    assert slots.free() == 1


def test_a_game_that_runs_never_lapses() -> None:
    clock = Clock()
    slots = Slots(1, clock)
    slots.put("game", SlotUse.PLAYING, "a")
    slots.renew("game", 1.0)
    slots.renew("unknown", 1.0)
    clock.now_s = 1e6
    assert slots.free() == 0


def test_a_late_acceptance_holds_its_slot_until_its_game_must_have_shown() -> None:
    server, now_s = Server(NetworkError("no answer")), [0.0]
    slots = Slots(1, lambda: now_s[0])
    queue = ChallengeQueue(server, slots, Settings.model_validate({"concurrency": 1}))
    server.gate.clear()
    queue.start()
    queue.receive(challenge(id="slow"))
    assert wait_until(lambda: slots.free() == 0)
    now_s[0] = ACCEPTED_S - 1  # the first attempt hung for so long
    server.gate.set()
    assert wait_until(lambda: queue.outcomes()["accepted"] == 1)
    now_s[0] += CONFIRMED_S - 1
    assert slots.free() == 0
    now_s[0] += 2
    assert slots.free() == 1
    queue.close()
