"""The comparison with the server's list of running games."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from bot.account import reconciler
from bot.account.reconciler import LONGEST_LIST, LOOK_UPS, GameListComparison, Reconciler
from bot.account.slots import SlotRecord, Slots, SlotUse
from bot.errors import NetworkError
from bot.events import GameInfo, Player
from tests.helpers.processes import wait_until

SOMEBODY = Player("alice", "Alice")


def info(game_id: str) -> GameInfo:
    """A running game."""
    return GameInfo(game_id, "white", SOMEBODY)


class ComparisonHarness:
    """Slots, and what the comparison does about them; games in `running` are found running when looked up."""

    def __init__(self, *playing: str) -> None:
        self.slots = Slots(8)
        for game_id in playing:
            self.slots.put(game_id, SlotUse.PLAYING, "alice")
        self.listed: list[str] = []
        self.looked_up: list[str] = []
        self.running: set[str] = set()
        self.compare = GameListComparison(self.slots, lambda one: self.listed.append(one.game_id), self.look_up)

    def look_up(self, record: SlotRecord) -> bool:
        """Note it; a game that has ended leaves its slot."""
        self.looked_up.append(record.game_id)
        if record.game_id not in self.running:
            self.slots.release(record.game_id)
        return record.game_id in self.running


@pytest.fixture(autouse=True)
def _no_young_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "NEW_S", -1.0)


def test_a_game_missing_on_two_lists_is_looked_up() -> None:
    harness = ComparisonHarness("kept", "gone")
    assert harness.compare((info("kept"),))
    assert harness.looked_up == []
    harness.compare((info("kept"),))
    assert harness.looked_up == ["gone"]
    assert not harness.compare((info("kept"),))


def test_a_list_alone_never_ends_a_game() -> None:
    harness = ComparisonHarness("one", "two")
    harness.running = {"one", "two"}
    for _ in range(5):
        harness.compare(())
    assert {record.game_id for record in harness.slots.records()} == {"one", "two"}


def test_a_game_found_running_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = ComparisonHarness("one")
    harness.running = {"one"}
    harness.compare(())
    assert not harness.compare(())
    for _ in range(5):
        assert not harness.compare(())
    assert harness.looked_up == ["one"]
    monkeypatch.setattr(reconciler, "FOUND_RUNNING_S", -1.0)
    harness.compare(())
    assert harness.looked_up == ["one", "one"]


def test_a_game_that_comes_back_starts_anew() -> None:
    harness = ComparisonHarness("one")
    harness.compare(())
    harness.compare((info("one"),))
    harness.compare(())
    assert harness.looked_up == []
    assert harness.listed == ["one"]


def test_what_has_not_begun_is_not_missed() -> None:
    harness = ComparisonHarness()
    harness.slots.reserve("accepted", "alice")
    harness.slots.put("sent", SlotUse.OUTGOING, "bob")
    for _ in range(3):
        assert not harness.compare(())
    assert harness.looked_up == []


def test_games_beyond_the_longest_list_are_looked_up_in_turn_and_a_few_at_a_time() -> None:
    missing = [f"missing{number}" for number in range(LOOK_UPS * 2)]
    harness = ComparisonHarness(*missing)
    harness.running = set(missing)
    longest = tuple(info(f"game{number}") for number in range(LONGEST_LIST))
    looked_up = []
    for _ in range(4):
        assert not harness.compare(longest)  # they are missing for no reason: no hurry
        looked_up.append(len(harness.looked_up))
    assert looked_up == [0, LOOK_UPS, LOOK_UPS * 2, LOOK_UPS * 2]
    assert sorted(harness.looked_up) == missing


def test_the_game_that_waited_longest_is_looked_up_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "FOUND_RUNNING_S", -1.0)  # every missing game is due at every comparison
    missing = [f"missing{number}" for number in range(LOOK_UPS * 2)]
    harness = ComparisonHarness(*missing)
    harness.running = set(missing)
    for _ in range(3):
        harness.compare(())
    assert sorted(harness.looked_up) == missing


class Clock:
    """A clock that tests move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 1000.0
        monkeypatch.setattr(reconciler, "time", SimpleNamespace(monotonic=self))

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_a_game_that_has_just_begun_may_be_missing_on_a_list_fetched_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "NEW_S", 2.0)
    clock = Clock(monkeypatch)
    harness = ComparisonHarness()
    harness.slots._now = clock
    harness.slots.put("young", SlotUse.PLAYING, "alice")
    clock.now_s += 1.5
    for _ in range(3):
        assert not harness.compare(())
    clock.now_s += 0.5
    assert harness.compare(())  # from now on it is missing
    harness.compare(())
    assert harness.looked_up == ["young"]


def test_a_game_found_running_is_looked_up_again_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    harness = ComparisonHarness()
    harness.slots._now = clock
    harness.slots.put("one", SlotUse.PLAYING, "alice")
    harness.running = {"one"}
    times = []
    for after_s in (0.0, 1.0, 30.0, 29.0, 1.0, 59.0, 1.0):
        clock.now_s += after_s
        harness.compare(())
        times.append(len(harness.looked_up))
    assert times == [0, 1, 1, 1, 2, 2, 3]


class ListServer:
    """Raises the errors one after the other, then gives an empty list; each moment of a call is noted."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """The list."""
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return ()


def test_failing_requests_and_faults_of_ours_do_not_end_the_comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "SOON_S", 0.001)
    compared = threading.Event()
    faults: list[Exception] = [RuntimeError("a fault of ours")]

    def compare(_games: tuple[GameInfo, ...]) -> bool:
        if faults:
            raise faults.pop()
        compared.set()
        return False

    server = ListServer(NetworkError("refused"), RecursionError("200,000 brackets"), ValueError("5,000 digits"))
    one = Reconciler(server.ongoing_games, compare, every_s=0.01)
    one.start()
    one.poke()
    assert compared.wait(30)
    one.close()
    assert wait_until(lambda: not one._loop.running)


def test_a_poke_compares_at_once() -> None:
    compared = threading.Event()

    def compare(_games: tuple[GameInfo, ...]) -> bool:
        compared.set()
        return False

    one = Reconciler(ListServer().ongoing_games, compare, every_s=3600.0)
    one.start()
    assert not compared.wait(0.05)
    one.poke()
    assert compared.wait(30)
    one.close()
    assert wait_until(lambda: not one._loop.running)
