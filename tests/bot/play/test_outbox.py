"""Moves on their way: posted until settled."""

from __future__ import annotations

import threading
import time

import pytest
from structlog.testing import capture_logs

from bot.errors import NetworkError, RateLimited, Rejected, ServerError
from bot.play import outbox
from bot.play.lag import LagMeter
from bot.play.outbox import Outbox
from tests.helpers.games import game, state
from tests.helpers.outbox_harness import BEFORE, OutboxHarness, quicken
from tests.helpers.processes import wait_until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


@pytest.fixture
def gate() -> threading.Event:
    """What a POST that hangs waits for."""
    return threading.Event()


def test_a_move_is_posted_once_and_then_waits_to_be_shown() -> None:
    harness = OutboxHarness()
    assert not harness.outbox.pending
    first = harness.send(offering_draw=True)
    assert harness.outbox.pending
    assert wait_until(lambda: first.accepted)
    harness.outbox.settle(harness.game)
    assert harness.outbox.pending  # the state does not show it yet
    harness.show("f1b5 a7a6")
    assert not harness.outbox.pending
    second = harness.send("b5a4")
    assert wait_until(lambda: second.accepted)
    harness.outbox.close()
    assert harness.posts == [("f1b5", True), ("b5a4", False)]
    assert harness.lag.round_trip_ms is not None
    assert harness.reopened == 0


@pytest.mark.parametrize(
    ("error", "reopened"),
    [
        (RateLimited(60.0), 0),
        (ServerError(502), 0),
        (ServerError(504), 0),
        (NetworkError("reset"), 0),
        (ValueError("a fault of ours"), 0),
        (Rejected(400, "Not your turn, or game already over"), 2),  # refused twice: the stream has missed something
    ],
)
def test_whatever_goes_wrong_the_move_is_posted_again(
    error: Exception, reopened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    with capture_logs():
        harness = OutboxHarness(error, error, error)
        move = harness.send()
        assert harness.posted(4)
        assert wait_until(lambda: move.accepted)
    assert harness.reopened == reopened
    harness.outbox.close()


@pytest.mark.parametrize(("asked_s", "pause_s"), [(0.0, 0.025), (0.03, 0.03), (60.0, 0.05)])
def test_a_limit_on_moves_is_waited_for_within_bounds(asked_s: float, pause_s: float) -> None:
    harness = OutboxHarness()
    move = harness.send()
    assert harness.outbox._pause_after(move, RateLimited(asked_s)) == pytest.approx(pause_s)
    harness.outbox.close()


def test_an_accepted_move_that_is_not_shown_reopens_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 0.02)
    harness = OutboxHarness()
    harness.send()
    assert wait_until(lambda: harness.reopened >= 1)
    assert harness.posted(2)
    harness.outbox.close()


def test_a_refused_move_reopens_the_stream() -> None:
    harness = OutboxHarness(*[Rejected(400, "Piece on e7 cannot move to e5")] * 5)
    harness.send()
    assert wait_until(lambda: harness.reopened >= 1)
    harness.outbox.close()


def test_a_settled_move_is_never_posted_again(gate: threading.Event) -> None:
    def cut() -> None:
        gate.wait(60)
        raise NetworkError("cut")

    harness = OutboxHarness(cut)
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")
    after = harness.send("b5a4")
    gate.set()
    assert wait_until(lambda: after.accepted)
    harness.outbox.close()
    assert harness.posts == [("f1b5", False), ("b5a4", False)]


def test_a_post_that_hangs_is_hedged(gate: threading.Event) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    move = harness.send()
    assert harness.posted(1)
    move.posted_s = 1000.0
    harness.outbox.tick(1000.0 + outbox.HEDGE_AFTER_S)  # too early: nothing happens
    assert move.hedges == 0
    harness.outbox.tick(1000.1 + outbox.HEDGE_AFTER_S)
    assert wait_until(lambda: move.accepted)
    assert len(harness.posts) == 2
    gate.set()
    harness.outbox.close()


def test_a_post_that_hangs_does_not_hold_the_next_move(gate: threading.Event) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")  # the stream shows it though the answer never came
    second = harness.send("b5a4")
    assert wait_until(lambda: second.accepted)
    gate.set()
    harness.outbox.close()


def test_hedges_are_few(gate: threading.Event) -> None:
    harness = OutboxHarness(*[lambda: gate.wait(60)] * 20)
    move = harness.send()
    for count in range(1, outbox.MAX_HEDGES + 2):
        assert harness.posted(count)
        harness.outbox.tick(time.monotonic() + 60.0)
    harness.outbox.tick(time.monotonic() + 60.0)
    assert move.hedges == outbox.MAX_HEDGES
    gate.set()
    harness.outbox.close()


def test_one_worker_stays_after_a_hedge(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    ended: list[bool] = []
    retire = harness.outbox._retire

    def noted() -> bool:
        ended.append(retire())
        return ended[-1]

    monkeypatch.setattr(harness.outbox, "_retire", noted)
    move = harness.send()
    assert harness.posted(1)
    harness.outbox.tick(time.monotonic() + 60.0)
    assert wait_until(lambda: move.accepted)
    gate.set()
    harness.show("f1b5 a7a6")
    assert wait_until(lambda: len(ended) == 2)
    harness.outbox.close()
    assert sorted(ended) == [False, True]


def test_closing_ends_all_workers() -> None:
    def workers() -> int:
        return sum(thread.name == "outbox-closing0" for thread in threading.enumerate())

    box = Outbox("closing0", lambda _uci, _draw: None, lambda _why: None, LagMeter())
    box.start()
    box.send(game(), "e2e4")
    assert workers() == 1
    box.close()
    assert wait_until(lambda: workers() == 0)
    box.tick(time.monotonic())  # harmless afterwards


def test_what_the_move_cost_our_clock_goes_to_the_lag_meter() -> None:
    harness = OutboxHarness()
    move = harness.send()
    assert wait_until(lambda: move.accepted)
    move.posted_s = 101.0
    harness.game.apply(state(f"{BEFORE} f1b5", wtime_ms=58_900), 101.2)
    harness.outbox.settle(harness.game)
    harness.outbox.close()
    assert harness.lag.overhead_ms == pytest.approx(100.0)


def test_an_outage_fills_no_log() -> None:
    with capture_logs() as lines:
        harness = OutboxHarness(*[NetworkError("gone")] * 5)
        harness.send()
        assert harness.posted(6)
        harness.outbox.close()
    told = [line["attempt"] for line in lines if line["event"] == "move_not_taken" and line["log_level"] == "warning"]
    assert told == [1, 2, 4]
