"""The comparison with the server's list of running games."""

from __future__ import annotations

import threading

import pytest
from structlog.testing import capture_logs

from bot.account import reconciler
from bot.account.reconciler import LONGEST_LIST, LOOK_UPS, GameListComparison, Reconciler
from bot.account.slots import SlotRecord, Slots, SlotUse
from bot.errors import LichessError, NetworkError, Unauthorized
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
            self.slots.put(game_id, SlotUse.PLAYING, "alice", False)
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
    harness.slots.reserve("accepted", "alice", False)
    harness.slots.put("sent", SlotUse.OUTGOING, "bob", False)
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


def pauses(error: LichessError, count: int) -> list[float]:
    """How long a reconciler waits after each of so many failures in a row."""
    one = Reconciler(ListServer(*[error] * count).ongoing_games, lambda _games: False)
    return [one._compare_once() for _ in range(count)]


def test_a_failing_server_is_asked_again_sooner_than_usual() -> None:
    assert pauses(NetworkError("refused"), 1)[0] <= 15.0
    assert max(pauses(NetworkError("refused"), 10)) <= reconciler.EVERY_S


def test_a_server_that_refuses_the_token_is_asked_ever_less_often() -> None:
    found = pauses(Unauthorized(401, "No such token"), 10)
    assert min(found) >= reconciler.EVERY_S
    assert found[-1] >= 300.0


def test_a_refused_token_is_told_once_until_it_is_taken_again() -> None:
    refused = Unauthorized(401, "No such token")
    server = ListServer()
    one = Reconciler(server.ongoing_games, lambda _games: False)
    told = []
    for errors in ([refused] * 3, [], [refused]):
        server.errors = list(errors)
        with capture_logs() as lines:
            for _ in range(max(1, len(errors))):
                one._compare_once()
        told.append([line["event"] for line in lines])
    assert told == [["ongoing_games_unknown"], [], ["ongoing_games_unknown"]]
