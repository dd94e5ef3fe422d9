"""Events of the account, and the threads that serve all games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.account import dispatcher
from bot.account.dispatcher import Dispatcher
from bot.account.slots import SlotUse
from bot.events import (
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
    Player,
    UnknownEvent,
)
from bot.settings import Settings
from tests.bot.account.test_challenge_rules import challenge
from tests.helpers.game_harness import GameHarness, HandFedStream, NotingServer
from tests.helpers.processes import wait_until

ME = Player("bot88", "bot88", "BOT")
ALICE = Player("alice", "Alice")
GAME = GameInfo("abcdefgh", "white", ALICE, speed="blitz")


class AccountServer(NotingServer):
    """With an event stream and challenges."""

    def __init__(self) -> None:
        super().__init__()
        self.accounts: list[HandFedStream] = []

    def stream_events(self) -> Any:
        """Open the account's stream."""
        self._note("events")
        self.accounts.append(HandFedStream())
        return self.accounts[-1]

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept."""
        self._note("accept", challenge_id)

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline."""
        self._note("decline", challenge_id, reason)


class Office:
    """A dispatcher at work on such a server."""

    def __init__(self) -> None:
        self.server = AccountServer()
        self.table = GameHarness(concurrency=2)
        object.__setattr__(self.table.context, "server", self.server)
        self.dispatcher = Dispatcher(self.server, self.table.context, reconcile_every_s=0.05, first_pause_s=0.01)
        self.dispatcher.start()
        assert wait_until(lambda: self.dispatcher.reader.connected)

    def tell(self, *events: Any) -> None:
        """Events of the account."""
        for event in events:
            self.server.accounts[-1].queue.put(event)

    def sits(self, game_id: str, use: SlotUse) -> bool:
        """Wait until the id sits there."""
        return wait_until(lambda: self.use(game_id) is use)

    def use(self, game_id: str) -> SlotUse | None:
        """Where an id sits."""
        record = self.dispatcher.slots.get(game_id)
        return record.use if record else None


@pytest.fixture
def office() -> Iterator[Office]:
    """Open; closed at the end."""
    one = Office()
    yield one
    one.dispatcher.close()
    assert wait_until(lambda: not one.dispatcher._ticker.is_alive())


def test_a_challenge_to_us_is_accepted_and_its_game_played_once(office: Office) -> None:
    office.tell(ChallengeReceived(challenge()))
    assert wait_until(lambda: ("accept", "chall001") in office.server.said)
    office.server.ongoing = (GameInfo("chall001", "white", ALICE, speed="blitz"),)
    office.tell(*[GameStarted(office.server.ongoing[0])] * 5)
    assert wait_until(lambda: office.use("chall001") is SlotUse.PLAYING)
    assert wait_until(lambda: office.server.count("stream") == 1)
    assert len(office.dispatcher.snapshot().loops) == 1
    assert office.dispatcher.snapshot().free_slots == 1


def test_a_challenge_of_ours_holds_a_slot_until_it_is_answered(office: Office) -> None:
    for number, answer in enumerate((ChallengeDeclined("sent0"), ChallengeCanceled("sent1"))):
        office.tell(ChallengeReceived(challenge(id=f"sent{number}", challenger=ME, dest_user=ALICE)))
        assert office.sits(f"sent{number}", SlotUse.OUTGOING)
        assert office.dispatcher.slots.free() == 1
        office.tell(answer)
        assert wait_until(lambda: office.dispatcher.slots.free() == 2)
    assert office.server.count("accept") == 0


def test_a_game_nobody_announced_is_found_and_the_stream_doubted(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "LIST_AGE_S", -1.0)
    office.server.ongoing = (GAME,)
    assert wait_until(lambda: office.use("abcdefgh") is SlotUse.PLAYING)
    assert wait_until(lambda: office.server.count("events") == 2)


def test_a_finished_game_frees_its_slot(office: Office) -> None:
    office.server.ongoing = (GAME,)
    office.tell(GameStarted(GAME))
    assert wait_until(lambda: office.use("abcdefgh") is SlotUse.PLAYING)
    office.server.ongoing = ()
    office.tell(GameFinished(GameInfo("abcdefgh", "white", ALICE, status="resign")))
    assert wait_until(lambda: office.dispatcher.slots.free() == 2)
    assert office.dispatcher.snapshot().ended == 1


def test_unknown_events_are_passed_over(office: Office) -> None:
    office.tell(UnknownEvent("somethingNew", {}), ChallengeReceived(challenge()))
    assert wait_until(lambda: office.server.count("accept") == 1)


def test_it_waits_for_the_games_to_end(office: Office) -> None:
    assert office.dispatcher.wait_idle(0.0)
    office.server.ongoing = (GAME,)
    office.tell(GameStarted(GAME))
    assert wait_until(lambda: office.use("abcdefgh") is SlotUse.PLAYING)
    office.dispatcher.stop_accepting()
    assert not office.dispatcher.wait_idle(0.05)
    office.tell(ChallengeReceived(challenge()))
    assert wait_until(lambda: ("decline", "chall001", "later") in office.server.said)


def test_slots_are_those_of_the_engines_where_they_are_fewer() -> None:
    engines = [{"name": "one", "command": "one", "slots": 2}, {"name": "two", "command": "two", "slots": 3}]
    assert dispatcher.slots_of(Settings.model_validate({"concurrency": 8, "engines": engines})) == 5
    assert dispatcher.slots_of(Settings.model_validate({"concurrency": 4, "engines": engines})) == 4
