"""Slots and who holds them."""

from __future__ import annotations

from bot.account.slots import ACCEPTED_S, CONFIRMED_S, OUTGOING_S, SlotRecord, Slots, SlotUse
from tests.helpers.fake_clock import FakeClock


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
    clock = FakeClock(0.0)
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
    clock = FakeClock(0.0)
    slots = Slots(1, clock)
    assert slots.reserve("one", "a")
    clock.now_s = ACCEPTED_S - 1
    assert not slots.reserve("two", "b")
    clock.now_s = ACCEPTED_S
    assert slots.reserve("two", "b")
    assert not slots.release("one", SlotUse.ACCEPTED)
    assert slots.release("two", SlotUse.OUTGOING, SlotUse.ACCEPTED)


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


def test_a_game_never_lapses_and_is_not_released_as_a_challenge() -> None:
    clock = FakeClock(0.0)
    slots = Slots(1, clock)
    slots.reserve("one", "a")
    slots.put("one", SlotUse.PLAYING, "a")
    clock.now_s = 1e9
    assert not slots.release("one", SlotUse.ACCEPTED, SlotUse.OUTGOING)
    assert slots.free() == 0
    assert slots.release("one", SlotUse.PLAYING)
    assert not slots.release("one", SlotUse.PLAYING)


def test_an_accepted_challenge_is_held_anew_after_each_answer() -> None:
    clock = FakeClock(0.0)
    slots = Slots(1, clock)
    assert slots.reserve("slow", "a")
    clock.now_s = ACCEPTED_S - 1  # the acceptance was repeated until then
    slots.renew("slow", CONFIRMED_S)
    clock.now_s += CONFIRMED_S - 1
    assert slots.free() == 0
    clock.now_s += 2
    assert slots.free() == 1
