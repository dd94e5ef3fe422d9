"""One loop per game id; parked and ended games."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.account import game_registry
from bot.account.game_registry import GameRegistry
from bot.account.slots import Slots, SlotUse
from bot.events.account import GameInfo
from bot.events.game import UNKNOWN_FINISH, GameExport, Player
from bot.play.game_context import EndReason
from bot.play.observer import Observers
from tests.helpers.ending import ENDINGS
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import full, state
from tests.helpers.observing import GameNotes
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads

ALICE = Player("alice", "Alice")


def info(game_id: str = "abcdefgh", **fields: Any) -> GameInfo:
    """A blitz game against Alice."""
    return GameInfo(game_id, ALICE, **({"speed": "blitz"} | fields))


class RegistryHarness:
    """A registry with its slots, and what it reported."""

    def __init__(self) -> None:
        self.game = GameHarness()
        self.slots = Slots(2)
        self.freed = 0
        self.notes = GameNotes()
        context = replace(self.game.context, observers=Observers(self.notes))
        self.registry = GameRegistry(context, self.slots, self.free)
        ENDINGS.callback(self.registry.close, 30.0)

    def free(self) -> None:
        """A slot became free."""
        self.freed += 1

    def use(self, game_id: str) -> SlotUse | None:
        """What the slot of the id is used for."""
        record = self.slots.get(game_id)
        return record.use if record else None

    def end(self, game_id: str) -> None:
        """Let the server end a game that runs."""
        (loop,) = [one for one in self.registry.loops() if one.game_id == game_id]
        loop._on_event(full(state(status="resign", winner="white")), 1.0)
        assert wait_until(lambda: self.slots.get(game_id) is None)


@pytest.fixture
def harness() -> RegistryHarness:
    """A registry without games."""
    return RegistryHarness()


def test_a_game_is_begun_once_however_often_it_is_announced(harness: RegistryHarness) -> None:
    assert [harness.registry.begin(info()) for _ in range(5)] == [True, False, False, False, False]
    assert len(harness.registry.loops()) == 1
    assert harness.use("abcdefgh") is SlotUse.PLAYING


def test_a_game_that_ended_is_not_begun_again_however_old_a_list_is(
    harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.registry.begin(info())
    harness.end("abcdefgh")
    assert wait_until(lambda: len(harness.notes.over) == 1)
    assert harness.freed == 1
    monkeypatch.setattr(game_registry, "LIST_AGE_S", -1.0)
    harness.registry.over(GameExport("game0002", "resign"))
    for game_id in ("abcdefgh", "game0002"):
        assert not harness.registry.begin(info(game_id))
        assert not harness.registry.on_list(info(game_id))


def test_games_beyond_the_slots_are_played_all_the_same(harness: RegistryHarness) -> None:
    for game_id in ("game0001", "game0002", "game0003"):
        assert harness.registry.begin(info(game_id))
    assert harness.slots.free() == -1


def test_what_the_bot_api_cannot_play_is_left_alone(harness: RegistryHarness) -> None:
    assert not harness.registry.begin(info(playable=False))
    assert harness.use("abcdefgh") is None


def test_a_correspondence_game_waits_for_its_opponent_without_a_slot(harness: RegistryHarness) -> None:
    assert not harness.registry.begin(info(speed="correspondence", is_my_turn=False))
    assert harness.use("abcdefgh") is SlotUse.PARKED
    assert harness.slots.free() == 2
    assert not harness.registry.on_list(info(speed="correspondence", is_my_turn=True))  # begun, and no surprise
    assert harness.use("abcdefgh") is SlotUse.PLAYING


@pytest.mark.parametrize("use", [SlotUse.ACCEPTED, SlotUse.OUTGOING])
def test_a_correspondence_game_just_agreed_on_is_played_at_once(harness: RegistryHarness, use: SlotUse) -> None:
    harness.slots.put("abcdefgh", use, "alice")
    assert harness.registry.begin(info(speed="correspondence", is_my_turn=False))


def test_a_correspondence_game_left_to_its_opponent_gives_its_slot_back(harness: RegistryHarness) -> None:
    harness.registry.begin(info(speed="correspondence", is_my_turn=True))
    harness.registry.loops()[0]._end(EndReason.PARKED)
    assert wait_until(lambda: harness.use("abcdefgh") is SlotUse.PARKED)
    assert harness.slots.free() == 2
    assert harness.notes.over == []


def test_only_so_many_ended_games_are_remembered(harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_registry, "REMEMBERED", 2)
    for game_id in ("game0001", "game0002", "game0003"):
        harness.registry.over(GameExport(game_id, "resign"))
    assert list(harness.registry._ended) == ["game0002", "game0003"]


def test_correspondence_games_in_which_it_is_our_turn_get_the_next_free_slot(harness: RegistryHarness) -> None:
    for game_id in ("game0001", "game0002"):
        harness.registry.begin(info(game_id))
    slow = {"speed": "correspondence", "is_my_turn": True}
    for game_id in ("game0003", "game0004"):
        assert not harness.registry.begin(info(game_id, **slow))
        assert harness.use(game_id) is SlotUse.DUE
    assert not harness.registry.on_list(info("game0003", **slow))
    assert harness.notes.begun == ["game0001", "game0002", "game0003", "game0004"]
    harness.registry.begin(info("game0004", speed="correspondence"))
    harness.registry.begin_due()
    assert harness.use("game0003") is SlotUse.DUE
    harness.end("game0001")
    assert not harness.slots.reserve("challenge", "bob")
    harness.registry.begin_due()
    uses = [harness.use(game_id) for game_id in ("game0003", "game0004")]
    assert uses == [SlotUse.PLAYING, SlotUse.PARKED]


def test_a_finish_frees_the_slot_of_a_game_never_begun(harness: RegistryHarness) -> None:
    harness.slots.reserve("abcdefgh", "alice")
    harness.registry.over(GameExport("abcdefgh", "aborted"))
    assert harness.slots.free() == 2
    assert harness.freed == 1
    assert not harness.registry.begin(info())


def test_only_an_export_proves_that_a_game_is_over(harness: RegistryHarness) -> None:
    harness.registry.finished("abcdefgh")
    assert harness.registry.begin(info())
    harness.registry.over(GameExport("game0002", "resign"))
    assert not harness.registry.begin(info("game0002"))
    assert harness.notes.over_unseen == ["abcdefgh", "game0002"]


def test_a_game_given_up_without_the_servers_word_is_taken_up_at_its_next_announcement(
    harness: RegistryHarness,
) -> None:
    harness.registry.begin(info())
    harness.registry.loops()[0]._on_gone()
    assert wait_until(lambda: harness.notes.over and harness.slots.get("abcdefgh") is None)
    assert harness.registry.begin(info())


@pytest.mark.parametrize(("status", "again"), [("resign", False), (UNKNOWN_FINISH, True)])
def test_a_game_that_an_export_shows_as_over_is_not_taken_up_from_a_list_that_lags(
    harness: RegistryHarness, status: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.registry.begin(info())
    harness.registry.loops()[0]._on_export(GameExport("abcdefgh", status))
    assert wait_until(lambda: not harness.registry.plays("abcdefgh"))
    assert not harness.registry.on_list(info())
    monkeypatch.setattr(game_registry, "LIST_AGE_S", 0.0)
    assert harness.registry.on_list(info()) is again


def test_a_finish_of_a_parked_game_is_told(harness: RegistryHarness) -> None:
    harness.registry.begin(info(speed="correspondence", is_my_turn=False))
    assert harness.notes.begun == ["abcdefgh"]
    harness.registry.finished("abcdefgh")
    assert harness.notes.over_unseen == ["abcdefgh"]
    assert harness.freed == 1
    assert harness.notes.over == []


def test_a_game_whose_thread_cannot_be_started_begins_when_it_can(
    harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        refuse_threads(patched)
        assert harness.registry.begin(info())
        assert harness.use("abcdefgh") is SlotUse.PLAYING
    (loop,) = harness.registry.loops()
    loop.tick(time.monotonic())
    assert wait_until(lambda: harness.game.server.count("stream") == 1)


def test_a_game_that_ends_before_its_thread_starts_frees_its_slot(
    harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        refuse_threads(patched)
        harness.registry.begin(info())
        harness.registry.over(GameExport("abcdefgh", "aborted"))
    (loop,) = harness.registry.loops()
    loop.tick(time.monotonic() + 60.0)
    assert wait_until(lambda: harness.slots.free() == 2)
    assert wait_until(lambda: harness.freed == 1)
    assert not harness.registry.loops()


def test_a_finish_is_told_to_the_loop_that_plays(harness: RegistryHarness) -> None:
    harness.registry.begin(info())
    harness.registry.finished("abcdefgh")
    (loop,) = harness.registry.loops()
    assert loop._end_expected_s is not None
    assert harness.notes.over_unseen == []
    assert harness.use("abcdefgh") is SlotUse.PLAYING  # until the loop has ended


def test_faults_of_observers_leave_the_games_alone(harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    for name in ("started", "ended"):
        monkeypatch.setattr(harness.notes, name, fail)
    assert harness.registry.begin(info())
    harness.end("abcdefgh")
    harness.registry.over(GameExport("game0002", "resign"))
    assert harness.slots.free() == 2


def test_a_listed_game_that_is_played_is_no_news(harness: RegistryHarness) -> None:
    assert [harness.registry.on_list(info()) for _ in range(3)] == [True, False, False]


def test_closing_leaves_all_games_first_and_waits_for_them_together_no_longer_than_it_was_given(
    harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, heard = [1000.0], list[object]()

    def join(seconds: float) -> None:
        heard.append(seconds)
        clock[0] += 2.0

    monkeypatch.setattr(game_registry, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    loop: Any = SimpleNamespace(leave=lambda: heard.append("leave"), join=join)
    harness.registry._loops = dict.fromkeys("abcd", loop)
    harness.registry.close(5.0)
    assert heard == ["leave"] * 4 + [5.0, 3.0, 1.0, 0.0]
    harness.registry._loops = {}


def test_a_list_read_soon_after_a_game_was_not_found_proves_nothing(
    harness: RegistryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(game_registry, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    harness.registry.over(GameExport("abcdefgh", UNKNOWN_FINISH))
    clock[0] += game_registry.LIST_AGE_S
    assert not harness.registry.on_list(info())
    clock[0] += 0.1
    assert harness.registry.on_list(info())


def test_after_closing_nothing_begins(harness: RegistryHarness) -> None:
    harness.registry.begin(info())
    harness.registry.close(30.0)
    assert not harness.registry.begin(info("game0002"))
    assert harness.notes.over == []  # it was left, not ended
