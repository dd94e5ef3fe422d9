"""Events of the account, and the threads that serve all games."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.account import dispatcher, reconciler
from bot.account.dispatcher import Dispatcher
from bot.account.slots import SlotUse
from bot.backoff import Backoff
from bot.events.account import (
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
)
from bot.events.game import GameExport, Player, UnknownEvent
from bot.lichess.values import UserProfile
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.ending import closed_at_end
from tests.helpers.game_harness import GameHarness, QueueStream, RecordingServer
from tests.helpers.games import full, state
from tests.helpers.processes import wait_until

ME = Player("bot88", "bot88", "BOT")
ALICE = Player("alice", "Alice")
GAME = GameInfo("abcdefgh", ALICE, speed="blitz")


class AccountServer(RecordingServer):
    """With an event stream and challenges."""

    def __init__(self) -> None:
        super().__init__()
        self.accounts: list[QueueStream] = []

    def stream_events(self) -> Any:
        """Open the account's stream."""
        self._note("events")
        self.accounts.append(QueueStream())
        return self.accounts[-1]

    def user_profile(self, user_id: str) -> UserProfile:
        """Who somebody is."""
        self._note("profile", user_id)
        return UserProfile()

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept."""
        self._note("accept", challenge_id)

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline."""
        self._note("decline", challenge_id, reason)


class DispatcherHarness:
    """A dispatcher at work on such a server."""

    def __init__(self) -> None:
        self.server = AccountServer()
        self.game = GameHarness(concurrency=2)
        object.__setattr__(self.game.context, "server", self.server)
        self.dispatcher = closed_at_end(Dispatcher(self.server, self.game.context, reconcile_every_s=0.05))
        self.dispatcher.reader._backoff = Backoff(0.01)
        self.dispatcher.start()
        assert wait_until(lambda: self.dispatcher.reader.connected)

    def tell(self, *events: Any) -> None:
        """Events of the account."""
        for event in events:
            self.server.accounts[-1].queue.put(event)

    def wait_use(self, game_id: str, use: SlotUse) -> bool:
        """Wait until the slot of the id is used so."""
        return wait_until(lambda: self.use(game_id) is use)

    def use(self, game_id: str) -> SlotUse | None:
        """What the slot of an id is used for."""
        record = self.dispatcher.slots.get(game_id)
        return record.use if record else None


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> DispatcherHarness:
    """Return a dispatcher that is at work."""
    monkeypatch.setattr(reconciler, "NEW_S", -1.0)
    return DispatcherHarness()


def test_a_challenge_to_us_is_accepted_and_its_game_played_once(harness: DispatcherHarness) -> None:
    harness.tell(ChallengeReceived(challenge()))
    assert wait_until(lambda: ("accept", "chall001") in harness.server.said)
    harness.server.ongoing = (GameInfo("chall001", ALICE, speed="blitz"),)
    harness.tell(*[GameStarted(harness.server.ongoing[0])] * 5)
    assert wait_until(lambda: harness.use("chall001") is SlotUse.PLAYING)
    assert wait_until(lambda: harness.server.count("stream") == 1)
    assert len(harness.dispatcher.snapshot().loops) == 1
    assert harness.dispatcher.snapshot().free_slots == 1


def test_a_game_nobody_announced_is_found_and_the_stream_opened_anew(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "LIST_AGE_S", -1.0)
    harness.server.ongoing = (GAME,)
    assert wait_until(lambda: harness.use("abcdefgh") is SlotUse.PLAYING)
    assert wait_until(lambda: harness.server.count("events") == 2)


def test_an_empty_list_ends_no_game(harness: DispatcherHarness) -> None:
    harness.tell(GameStarted(GAME))
    assert harness.wait_use("abcdefgh", SlotUse.PLAYING)
    assert wait_until(lambda: harness.server.count("export") >= 1)
    asked = harness.server.count("ongoing")
    assert wait_until(lambda: harness.server.count("ongoing") >= asked + 3)
    assert harness.use("abcdefgh") is SlotUse.PLAYING
    (loop,) = harness.dispatcher.snapshot().loops
    assert loop._end_expected_s is None


@pytest.mark.slow
def test_a_game_that_ended_unnoticed_is_ended_by_its_export(harness: DispatcherHarness) -> None:
    harness.server.exports["abcdefgh"] = GameExport("abcdefgh", "resign", "white")
    harness.tell(GameStarted(GAME))
    assert wait_until(lambda: harness.dispatcher.snapshot().ended == 1)
    assert harness.use("abcdefgh") is None


def test_a_reload_reaches_challenges_and_games_to_come(harness: DispatcherHarness) -> None:
    settings = Settings.model_validate({"challenges": {"opponents": ["bot"]}, "conduct": {"takebacks": 7}})
    harness.dispatcher.configure(settings)
    harness.tell(ChallengeReceived(challenge()), GameStarted(GAME))
    assert wait_until(lambda: ("decline", "chall001", "onlyBot") in harness.server.said)
    assert harness.wait_use("abcdefgh", SlotUse.PLAYING)
    assert wait_until(lambda: harness.dispatcher.snapshot().loops)
    assert harness.dispatcher.registry._context.settings.conduct.takebacks == 7


def test_a_finished_game_frees_its_slot(harness: DispatcherHarness) -> None:
    harness.server.ongoing = (GAME,)
    harness.tell(GameStarted(GAME))
    assert wait_until(lambda: harness.use("abcdefgh") is SlotUse.PLAYING)
    harness.server.ongoing = ()
    harness.tell(GameFinished(GameInfo("abcdefgh", ALICE)))
    harness.server.streams[-1].queue.put(full(state(status="resign")))
    assert wait_until(lambda: harness.dispatcher.slots.free() == 2)
    assert harness.dispatcher.snapshot().ended == 1


def test_a_finished_game_whose_stream_does_not_show_the_end_is_ended_by_its_export(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "FINAL_STATE_WAIT_S", 0.0)
    harness.server.ongoing = (GAME,)  # the list still shows it
    harness.server.exports["abcdefgh"] = GameExport("abcdefgh", "resign", "white")
    harness.tell(GameStarted(GAME))
    assert harness.wait_use("abcdefgh", SlotUse.PLAYING)
    harness.tell(GameFinished(GameInfo("abcdefgh", ALICE)))
    assert wait_until(lambda: harness.dispatcher.snapshot().ended == 1)


def test_unknown_events_are_passed_over(harness: DispatcherHarness) -> None:
    harness.tell(UnknownEvent("somethingNew", {}), ChallengeReceived(challenge()))
    assert wait_until(lambda: harness.server.count("accept") == 1)


def test_it_waits_for_the_games_to_end(harness: DispatcherHarness) -> None:
    assert harness.dispatcher.wait_idle(0.0)
    harness.server.ongoing = (GAME,)
    harness.tell(GameStarted(GAME))
    assert wait_until(lambda: harness.use("abcdefgh") is SlotUse.PLAYING)
    harness.dispatcher.stop_accepting()
    assert not harness.dispatcher.wait_idle(0.05)
    harness.tell(ChallengeReceived(challenge()))
    assert wait_until(lambda: ("decline", "chall001", "later") in harness.server.said)


def test_slots_are_those_of_the_engines_where_they_are_fewer() -> None:
    engines = [{"name": "one", "command": "one", "slots": 2}, {"name": "two", "command": "two", "slots": 3}]
    for wanted, found, told in ((8, 5, ["fewer_engines_than_games"]), (5, 5, []), (4, 4, [])):
        with capture_logs() as lines:
            assert dispatcher.slots_of(Settings.model_validate({"concurrency": wanted, "engines": engines})) == found
        assert [line["event"] for line in lines] == told


def test_the_end_waits_for_no_game_of_days(harness: DispatcherHarness) -> None:
    slow = replace(GAME, speed="correspondence", is_my_turn=True)
    harness.server.ongoing = (slow,)
    harness.tell(GameStarted(slow))
    assert wait_until(lambda: harness.use("abcdefgh") is SlotUse.PLAYING)
    assert harness.dispatcher.wait_idle(0.0)


def test_the_wait_for_the_games_lasts_as_long_as_it_was_given(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = iter((True, True, True, False))
    monkeypatch.setattr(dispatcher, "time", SimpleNamespace(monotonic=lambda: 100.0))
    monkeypatch.setattr(dispatcher, "TICK_S", 0.001)
    monkeypatch.setattr(harness.dispatcher, "_busy", lambda: next(busy))
    assert harness.dispatcher.wait_idle(0.5)
    assert list(busy) == []
