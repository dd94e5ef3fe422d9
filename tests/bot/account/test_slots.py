"""Slots and who holds them."""

from __future__ import annotations

import threading

from bot.account.slots import ACCEPTED_S, OUTGOING_S, Roster, Seat


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_everything_that_may_become_a_game_holds_a_slot_once() -> None:
    roster = Roster(3)
    assert roster.reserve("accepted", "a", False)
    roster.put("outgoing", Seat.OUTGOING, "b", False, OUTGOING_S)
    assert roster.free() == 1
    roster.put("accepted", Seat.PLAYING, "a", False)
    roster.put("accepted", Seat.PLAYING, "a", False)  # gameStart repeated
    assert roster.free() == 1
    roster.put("parked", Seat.PARKED, "c", False)
    assert roster.free() == 1


def test_no_reservation_beyond_the_slots_nor_twice_for_one_id() -> None:
    roster = Roster(1)
    assert roster.reserve("one", "a", False)
    assert not roster.reserve("one", "a", False)
    assert not roster.reserve("two", "b", False)
    assert roster.release("one")
    assert not roster.release("one")
    assert roster.reserve("two", "b", False)


def test_resumed_games_count_though_they_are_too_many() -> None:
    roster = Roster(1)
    for game_id in "abc":
        roster.put(game_id, Seat.PLAYING, game_id, False)
    assert roster.free() == -2
    roster.release("a")
    roster.release("b")
    assert not roster.reserve("new", "x", False)


def test_slots_can_be_kept_for_others() -> None:
    roster = Roster(2)
    assert not roster.reserve("bot", "b", True, keep_free=2)
    assert roster.reserve("bot", "b", True, keep_free=1)


def test_what_never_begins_lapses() -> None:
    clock = Clock()
    roster = Roster(2, clock)
    roster.reserve("accepted", "a", False)
    roster.put("outgoing", Seat.OUTGOING, "b", False, OUTGOING_S)
    clock.now_s = ACCEPTED_S
    assert [record.game_id for record in roster.records()] == ["outgoing"]
    clock.now_s = OUTGOING_S
    assert roster.free() == 2
    assert roster.get("outgoing") is None


def test_a_game_never_lapses_and_is_not_released_as_a_challenge() -> None:
    clock = Clock()
    roster = Roster(1, clock)
    roster.reserve("one", "a", False)
    roster.put("one", Seat.PLAYING, "a", False)
    clock.now_s = 1e9
    assert not roster.release_if("one", Seat.ACCEPTED, Seat.OUTGOING)
    assert roster.free() == 0
    assert roster.release_if("one", Seat.PLAYING)
    assert not roster.release_if("one", Seat.PLAYING)


def test_many_threads_never_get_more_slots_than_there_are() -> None:
    roster = Roster(5)
    got: list[bool] = []
    threads = [
        threading.Thread(target=lambda n=n: got.append(roster.reserve(f"id{n}", str(n), False))) for n in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(got) == 5
    assert roster.free() == 0
