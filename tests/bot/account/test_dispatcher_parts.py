"""The dispatcher's decisions one by one, without its threads and on a clock of the test's own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.account import dispatcher as dispatcher_module
from bot.account.dispatcher import CLOSED_PAUSE_S, QUIET_S, TICK_S, Dispatcher
from bot.account.game_registry import LIST_AGE_S
from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, SlotUse
from bot.events.account import ChallengeCanceled, ChallengeDeclined, ChallengeReceived, GameStarted
from tests.bot.account.challenges.test_challenge_rules import BOT, challenge
from tests.bot.account.test_dispatcher import GAME, ME, AccountServer
from tests.helpers.ending import ENDINGS
from tests.helpers.game_harness import GameHarness


class Still:
    """A dispatcher that was not started; `heard` names what it asked of its parts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, server = GameHarness(concurrency=2), AccountServer()
        object.__setattr__(game.context, "server", server)
        self.heard: list[str] = []
        self.dispatcher = Dispatcher(server, game.context, on_declined=self.declined)
        ENDINGS.callback(self.dispatcher.registry.close, 1.0)
        self.clock = [1000.0]
        monkeypatch.setattr(dispatcher_module, "time", SimpleNamespace(monotonic=lambda: self.clock[0]))
        self.dispatcher.reader.opened_s = 1000.0
        monkeypatch.setattr(self.dispatcher.reader, "reopen", lambda _why, **_how: self.heard.append("reopen"))
        monkeypatch.setattr(self.dispatcher.reconciler, "poke", lambda: self.heard.append("poke"))
        monkeypatch.setattr(self.dispatcher.queue, "wake", lambda: self.heard.append("wake"))

    def declined(self, challenge_id: str, reason_key: str) -> None:
        """Note a challenge of ours that was declined."""
        self.heard.append(f"declined {challenge_id} {reason_key}")

    def tick_at(self, *moments: float) -> None:
        """Let the ticker look at these moments, then end."""
        left = list(moments)

        def wait(_seconds: float) -> bool:
            if not left:
                return True
            self.clock[0] = left.pop(0)
            return False

        self.dispatcher._ticker = SimpleNamespace(wait=wait)  # type: ignore[assignment]  # a stand-in
        self.dispatcher._tick()


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> Still:
    return Still(monkeypatch)


@pytest.mark.parametrize(
    ("event_s", "moments", "reopened"),
    [
        (1000.0, (1000.0 + QUIET_S,), 0),
        (1000.0, (1001.0 + QUIET_S, 1002.0 + QUIET_S, 1001.0 + 2 * QUIET_S), 1),  # once, and then a while later
        (1000.0, (1001.0 + QUIET_S, 1002.0 + 2 * QUIET_S), 2),
        (1100.0, (1001.0 + QUIET_S, 1100.0 + QUIET_S), 0),
        (0.0, (1000.0 + QUIET_S,), 0),  # the ticker has just begun to look
    ],
)
def test_a_stream_without_any_event_is_opened_anew_after_a_while(
    still: Still, event_s: float, moments: tuple[float, ...], reopened: int
) -> None:
    still.dispatcher.reader.last_event_s = event_s
    still.tick_at(*moments)
    assert still.heard == ["reopen"] * reopened


def test_the_list_is_fetched_more_often_while_there_is_no_stream_that_announces_games(still: Still) -> None:
    still.dispatcher.reader.opened_s = None
    still.tick_at(1000.0, 1000.0 + CLOSED_PAUSE_S, 1001.0 + CLOSED_PAUSE_S, 1002.0 + CLOSED_PAUSE_S)
    assert still.heard == ["poke"]


def test_a_fault_in_one_game_does_not_stop_the_time_of_the_others(
    still: Still, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    told: list[tuple[str, float]] = []

    def fail(_now: float) -> None:
        raise RuntimeError("a fault of ours")

    loops = (
        SimpleNamespace(game_id="unlucky", tick=fail, park_if_idle=fail, is_quiet=lambda _now: False),
        SimpleNamespace(
            game_id="other",
            tick=lambda now: told.append(("tick", now)),
            park_if_idle=lambda now: told.append(("park", now)),
            is_quiet=lambda _now: False,
        ),
    )
    monkeypatch.setattr(still.dispatcher.registry, "loops", lambda: loops)
    still.tick_at(1001.0, 1002.0)
    assert told == [("tick", 1001.0), ("park", 1001.0), ("tick", 1002.0), ("park", 1002.0)]
    assert [(line["event"], line["game_id"]) for line in logs] == [("tick_fault", "unlucky")] * 2


@pytest.mark.parametrize(
    ("opened_ago_s", "is_news", "reopened"),
    [(LIST_AGE_S + 1.0, True, 1), (LIST_AGE_S, True, 0), (LIST_AGE_S + 1.0, False, 0), (None, True, 0)],
)
def test_a_stream_that_did_not_announce_a_game_in_time_is_opened_anew(
    still: Still,
    monkeypatch: pytest.MonkeyPatch,
    opened_ago_s: float | None,
    is_news: bool,
    reopened: int,
    logs: list[EventDict],
) -> None:
    monkeypatch.setattr(still.dispatcher.registry, "on_list", lambda _info: is_news)
    still.dispatcher.reader.opened_s = None if opened_ago_s is None else 1000.0 - opened_ago_s
    still.dispatcher._on_list(GAME)
    assert still.heard == ["reopen"] * reopened
    assert [line["event"] for line in logs] == ["game_not_announced"] * reopened


def test_a_game_accepted_just_now_may_be_in_the_list_before_it_is_announced(still: Still) -> None:
    still.dispatcher.reader.opened_s = 900.0
    still.dispatcher.slots.put("abcdefgh", SlotUse.ACCEPTED, "alice", 60.0)
    with capture_logs() as lines:
        still.dispatcher._on_list(GAME)
    assert [record.use for record in still.dispatcher.slots.records()] == [SlotUse.PLAYING]
    assert still.heard == []
    assert "game_not_announced" not in [line["event"] for line in lines]


@pytest.mark.parametrize(
    ("fields", "lapse_s"),
    [
        ({"status": "created"}, OUTGOING_S),
        ({"status": "offline"}, OUTGOING_S),
        ({"status": ""}, OUTGOING_S),
        ({"status": "created", "speed": "correspondence"}, OUTGOING_SLOW_S),
        ({"status": "canceled"}, None),
        ({"status": "declined"}, None),
    ],
)
def test_a_challenge_of_ours_holds_a_slot_while_it_may_be_taken(
    still: Still, fields: dict[str, Any], lapse_s: float | None
) -> None:
    sent = challenge(id="sent0001", challenger=ME, dest_user=BOT, **fields)
    still.dispatcher.handle_event(ChallengeReceived(sent))
    record = still.dispatcher.slots.get("sent0001")
    if lapse_s is None:
        assert record is None
        return
    assert record is not None
    assert record.until_s is not None
    assert (record.use, record.opponent_id) == (SlotUse.OUTGOING, "other")
    assert record.until_s - record.since_s == pytest.approx(lapse_s)


def test_challenges_that_we_sent_are_cancelled_at_the_end(still: Still, monkeypatch: pytest.MonkeyPatch) -> None:
    canceled: list[str] = []
    monkeypatch.setattr(still.dispatcher.queue, "cancel", canceled.extend)
    for use in SlotUse:
        still.dispatcher.slots.put(use.value, use, "other")
    still.dispatcher.stop_accepting()
    assert canceled == ["outgoing"]


def test_a_challenge_of_ours_that_is_a_game_already_stays_one(still: Still) -> None:
    still.dispatcher.slots.put("sent0001", SlotUse.PLAYING, "other")
    still.dispatcher.handle_event(ChallengeReceived(challenge(id="sent0001", challenger=ME, dest_user=BOT)))
    assert [record.use for record in still.dispatcher.slots.records()] == [SlotUse.PLAYING]


@pytest.mark.parametrize("event", [ChallengeDeclined("abcdefgh"), ChallengeCanceled("abcdefgh")])
@pytest.mark.parametrize(
    ("use", "freed"),
    [(SlotUse.OUTGOING, True), (SlotUse.ACCEPTED, True), (SlotUse.PLAYING, False), (SlotUse.PARKED, False)],
)
def test_the_end_of_a_challenge_frees_its_slot_but_never_that_of_a_game(
    still: Still, event: Any, use: SlotUse, freed: bool
) -> None:
    still.dispatcher.slots.put("abcdefgh", use, "other")
    still.dispatcher.handle_event(event)
    assert (still.dispatcher.slots.get("abcdefgh") is None) is freed
    declined = ["declined abcdefgh generic"] * isinstance(event, ChallengeDeclined)
    assert still.heard == declined + ["wake"] * freed


def test_a_challenge_that_waited_is_forgotten_when_its_game_begins(
    still: Still, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(still.dispatcher.registry, "begin", lambda info: still.heard.append(info.game_id))
    still.dispatcher.queue.receive(challenge(id="abcdefgh"))
    judge = still.dispatcher.queue._next_judgement()
    assert judge is not None
    judge()
    assert still.dispatcher._waiting_names() == ("Alice",)
    still.dispatcher.handle_event(GameStarted(GAME))
    assert still.dispatcher.snapshot().waiting == ()
    assert still.heard == ["abcdefgh"]


def test_a_free_slot_goes_to_a_due_game_before_challenges(still: Still, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(still.dispatcher.registry, "begin_due", lambda: still.heard.append("due"))
    still.dispatcher._slot_freed()
    assert still.heard == ["due", "wake"]


def test_the_wait_for_the_games_takes_no_longer_than_it_was_given(still: Still) -> None:
    waits_s: list[float] = []

    def wait(seconds: float) -> bool:
        waits_s.append(seconds)
        still.clock[0] += seconds
        return False

    still.dispatcher._closed = SimpleNamespace(wait=wait)  # type: ignore[assignment]  # a stand-in
    still.dispatcher.slots.put("abcdefgh", SlotUse.PLAYING, "other")
    assert not still.dispatcher.wait_idle(2.4 * TICK_S)
    assert waits_s == pytest.approx([TICK_S, TICK_S, 0.4 * TICK_S])


def test_the_age_of_the_stream_is_that_of_its_last_line(still: Still) -> None:
    assert still.dispatcher.snapshot().stream_age_s is None
    still.dispatcher.reader.last_line_s = 990.0
    assert still.dispatcher.snapshot().stream_age_s == 10.0
