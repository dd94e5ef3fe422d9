"""The comparison with the server's list of running games."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.account import account_reader, reconciler
from bot.account.reconciler import FAILURE_PAUSES_S, LOOK_UP_AGAIN_S, NEW_S, SOON_S, Reconciler
from bot.account.slots import Slots, SlotUse
from bot.errors import LichessError, NetworkError, RateLimited, Unauthorized
from bot.events.account import GameInfo
from bot.events.game import GameExport, Player
from tests.helpers.processes import wait_until

NOW_S = 1000.0


class LookUp:
    """Notes the questions. Those about games in `over` are answered at once, the others stay open."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.wanted: dict[str, Callable[[], bool]] = {}
        self.over: set[str] = set()

    def ask(
        self, game_id: str, on_answer: Callable[[GameExport], None], *, is_wanted: Callable[[], bool] = lambda: True
    ) -> None:
        """Note the question."""
        self.asked.append(game_id)
        self.wanted[game_id] = is_wanted
        if game_id in self.over:
            on_answer(GameExport(game_id, "resign"))


class Harness:
    """A reconciler that was not started, on a clock of the test; `errors` are raised instead of the next lists."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *playing: str, every_s: float = 60.0) -> None:
        self.now_s = NOW_S
        monkeypatch.setattr(reconciler, "time", SimpleNamespace(monotonic=lambda: self.now_s))
        self.slots = Slots(8, lambda: self.now_s)
        for game_id in playing:
            self.slots.put(game_id, SlotUse.PLAYING, "alice")
        self.now_s += NEW_S
        self.errors: list[Exception] = []
        self.listed: list[str] = []
        self.ended: list[str] = []
        self.look_up = LookUp()
        one: Any = self.look_up
        self.reconciler = Reconciler(
            self.ongoing_games,
            self.slots,
            lambda info: self.listed.append(info.game_id),
            one,
            lambda export: self.ended.append(export.game_id),
            every_s=every_s,
        )

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """Return an empty list."""
        if self.errors:
            raise self.errors.pop(0)
        return ()

    def compare(self, *listed: str) -> bool:
        """Compare a list with these games."""
        return self.reconciler.compare(tuple(GameInfo(game_id, Player("alice", "Alice")) for game_id in listed))


def test_a_game_missing_on_two_lists_is_looked_up_and_ended_by_its_export(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch, "kept", "gone", "running")
    harness.look_up.over = {"gone"}
    assert harness.compare("kept")
    assert harness.look_up.asked == []
    assert not harness.compare("kept")
    assert sorted(harness.look_up.asked) == ["gone", "running"]
    assert harness.ended == ["gone"]
    assert harness.listed == ["kept", "kept"]


def test_a_game_that_comes_back_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch, "one")
    harness.compare()
    harness.compare("one")
    harness.compare()
    assert harness.look_up.asked == []


def test_a_game_that_stays_missing_is_looked_up_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch, "one")
    asked = []
    for after_s in (0.0, 3.0, 60.0, LOOK_UP_AGAIN_S - 61.0, 1.0, LOOK_UP_AGAIN_S):
        harness.now_s += after_s
        harness.compare()
        asked.append(len(harness.look_up.asked))
    assert asked == [0, 1, 1, 1, 2, 3]


def test_a_question_is_dropped_when_the_game_has_changed_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch, "one")
    harness.compare()
    harness.compare()
    assert harness.look_up.wanted["one"]()
    harness.slots.put("one", SlotUse.PARKED, "alice")
    assert not harness.look_up.wanted["one"]()


def test_what_has_not_begun_or_has_just_begun_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch)
    harness.slots.reserve("accepted", "alice")
    harness.slots.put("sent", SlotUse.OUTGOING, "bob")
    harness.slots.put("young", SlotUse.PLAYING, "alice")
    harness.now_s += NEW_S - 0.1
    for _ in range(3):
        assert not harness.compare()
    harness.now_s += 0.1
    assert harness.compare()
    harness.compare()
    assert harness.look_up.asked == ["young"]


@pytest.mark.parametrize(("every_s", "expected_s"), [(60.0, SOON_S), (1.0, 1.0)])
def test_a_missing_game_brings_the_next_list_forward(
    monkeypatch: pytest.MonkeyPatch, every_s: float, expected_s: float
) -> None:
    harness = Harness(monkeypatch, "one", every_s=every_s)
    assert harness.reconciler._fetch_and_compare() == expected_s
    assert harness.reconciler._fetch_and_compare() == every_s


def test_failing_requests_are_repeated_sooner_than_the_next_list_was_due(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch)
    harness.errors = [NetworkError("refused")] * 5
    pauses = [harness.reconciler._fetch_and_compare() for _ in range(6)]
    assert pauses[0] <= 1.5 * FAILURE_PAUSES_S[0]
    assert max(pauses) == pauses[-1] == 60.0


def test_after_a_restart_an_unreachable_server_is_asked_again_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may be waiting for our move, and the list shows it before the account's stream is open again."""
    harness = Harness(monkeypatch)
    harness.errors = [NetworkError("refused")] * 3
    assert sum(harness.reconciler._fetch_and_compare() for _ in range(3)) < 12.0


@pytest.mark.parametrize("outage_s", [2.0, 4.0, 8.0])
def test_after_an_outage_the_list_or_the_account_s_stream_is_soon_asked_for(
    outage_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either shows a game that waits for our move: their attempts alternate."""
    for _ in range(100):
        harness = Harness(monkeypatch)
        harness.errors = [NetworkError("refused")] * 6
        reader = account_reader.AccountReader(lambda: pytest.fail("not opened"), lambda _: None, lambda: None)
        pauses = (
            [harness.reconciler._fetch_and_compare() for _ in range(6)],
            [reader._pause_after_refusal(NetworkError("refused")) for _ in range(6)],
        )
        attempts_s = [at_s for series in pauses for at_s in accumulate(series) if at_s >= outage_s]
        assert min(attempts_s) - outage_s < 0.8 * outage_s


def test_a_rate_limit_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch)
    harness.errors = [RateLimited(30.0)]
    assert 30.0 <= harness.reconciler._fetch_and_compare() <= 60.0


def test_a_rejected_token_is_tried_rarely_and_logged_by_the_gateway_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = Harness(monkeypatch)
    refused: list[LichessError] = [Unauthorized(401)] * 12
    harness.errors = [*refused]
    with capture_logs() as lines:
        pauses = [harness.reconciler._fetch_and_compare() for _ in range(12)]
    assert pauses[0] == 60.0
    assert pauses[-1] > 120.0
    assert lines == []
    assert harness.reconciler._fetch_and_compare() == 60.0


def test_a_poke_compares_at_once_and_no_fault_ends_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "SOON_S", 0.01)
    harness = Harness(monkeypatch, every_s=0.01)
    harness.errors = [NetworkError("refused"), RecursionError("200,000 brackets"), ValueError("5,000 digits")]
    harness.reconciler._pause_s = 3600.0
    harness.reconciler.start()
    assert len(harness.errors) == 3
    harness.reconciler.poke()
    assert wait_until(lambda: not harness.errors)
    harness.reconciler.close()
    assert wait_until(lambda: not harness.reconciler._loop.running)
