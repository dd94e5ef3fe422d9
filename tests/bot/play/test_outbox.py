"""Moves are posted until they are settled: attempts, workers, and the lag measured on the way."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.errors import NetworkError, RateLimited, Rejected, ServerError, Unauthorized
from bot.play import outbox
from bot.play.game import Game
from bot.play.observer import Observers
from bot.play.outbox import ENOUGH, WINDOW, LagMeter, Outbox, PostedMove, cautious_ms, clock_loss_ms
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import game, state
from tests.helpers.outbox_harness import BEFORE, OutboxHarness, quicken
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


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
    assert wait_until(lambda: first.accepted_s)
    harness.outbox.settle(harness.game)
    assert harness.outbox.pending  # the state does not show it yet
    harness.show("f1b5 a7a6")
    assert not harness.outbox.pending
    second = harness.send("b5a4")
    assert wait_until(lambda: second.accepted_s)
    harness.outbox.close()
    assert harness.posts == [("f1b5", True), ("b5a4", False)]
    assert harness.lag.overhead_ms is not None
    assert harness.reopened == 0


@pytest.mark.parametrize(
    ("error", "reopened"),
    [
        (RateLimited(60.0), 0),
        (Unauthorized(401, "No such token"), 0),  # not the stream's fault
        (ServerError(502), 0),
        (ServerError(504), 0),
        (NetworkError("reset"), 0),
        (ValueError("a fault of ours"), 0),
        (Rejected(400, "Not your turn, or game already over"), 2),  # refused twice: the stream has missed something
    ],
)
def test_a_move_is_posted_again_after_any_error(
    error: Exception, reopened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    with capture_logs():
        harness = OutboxHarness(error, error, error)
        move = harness.send()
        assert harness.posted(4)
        assert wait_until(lambda: move.accepted_s)
    assert harness.reopened == reopened
    harness.outbox.close()


@pytest.mark.parametrize(("asked_s", "pause_s"), [(0.0, 0.025), (0.03, 0.03), (60.0, 0.05)])
def test_a_limit_on_moves_is_waited_for_within_bounds(asked_s: float, pause_s: float) -> None:
    harness = OutboxHarness()
    move = harness.send()
    assert harness.outbox._pause_after(move, RateLimited(asked_s)) == pytest.approx(pause_s)
    harness.outbox.close()


def test_an_accepted_move_that_is_not_shown_is_posted_again_after_the_stream_had_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 0.02)
    harness, posts_at_reopening = OutboxHarness(), list[int]()
    monkeypatch.setattr(harness.outbox, "_reopen_stream", lambda _why: posts_at_reopening.append(len(harness.posts)))
    harness.send()
    assert harness.posted(2)
    harness.outbox.close()
    assert posts_at_reopening[:2] == [1, 1]


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
    assert wait_until(lambda: after.accepted_s)
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
    assert wait_until(lambda: move.accepted_s)
    assert len(harness.posts) == 2
    gate.set()
    harness.outbox.close()


def test_a_post_that_hangs_does_not_hold_the_next_move(gate: threading.Event) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")  # the stream shows it although no answer arrived
    second = harness.send("b5a4")
    assert wait_until(lambda: second.accepted_s)
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
    assert wait_until(lambda: move.accepted_s)
    gate.set()
    harness.show("f1b5 a7a6")
    assert wait_until(lambda: len(ended) == 2)
    harness.outbox.close()
    assert sorted(ended) == [False, True]


def test_what_the_move_cost_our_clock_goes_to_the_lag_meter() -> None:
    harness = OutboxHarness()
    move = harness.send()
    assert wait_until(lambda: move.accepted_s)
    move.posted_s = 101.0
    harness.game.apply(state(f"{BEFORE} f1b5", wtime_ms=58_900), 101.2)
    harness.outbox.settle(harness.game)
    harness.outbox.close()
    assert harness.lag.overhead_ms == pytest.approx(100.0)


def test_an_outage_does_not_fill_the_log() -> None:
    with capture_logs() as lines:
        harness = OutboxHarness(*[NetworkError("gone")] * 5)
        harness.send()
        assert harness.posted(6)
        harness.outbox.close()
    told = [line["attempt"] for line in lines if line["event"] == "move_not_taken" and line["log_level"] == "warning"]
    assert told == [1, 2, 4]


def box_of(game_id: str) -> tuple[Outbox, list[str]]:
    """An outbox of a game of its own, and what is posted."""
    posts = list[str]()
    box = Outbox(game_id, lambda uci, _draw: posts.append(uci), lambda _why: None, LagMeter(), Observers())
    return box, posts


def workers_of(game_id: str) -> int:
    """Its threads."""
    return sum(thread.name == f"outbox-{game_id}" for thread in threading.enumerate())


def test_one_worker_waits_for_the_first_move_and_serves_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    box, posts = box_of("waiting0")
    assert box.start()
    assert workers_of("waiting0") == 1
    assert box.start()
    move = box.send(game(), "e2e4")
    assert wait_until(lambda: move.accepted_s)
    for _ in range(3):
        box.tick(time.monotonic() + 60.0)  # long accepted, only not shown yet: no reason for another POST
    assert workers_of("waiting0") == 1
    assert (posts, move.hedges) == (["e2e4"], 0)
    box.close()
    assert wait_until(lambda: workers_of("waiting0") == 0)
    box.tick(time.monotonic())  # harmless afterwards


def test_a_worker_that_could_not_be_started_is_replaced_at_the_next_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    box, posts = box_of("scarce00")
    refused = refuse_threads(monkeypatch, times=2)
    assert not box.start()
    move = box.send(game(), "e2e4")
    assert len(refused) == 2
    box.tick(time.monotonic())
    assert wait_until(lambda: move.accepted_s)
    for _ in range(3):
        box.tick(time.monotonic())
    assert (posts, workers_of("scarce00")) == (["e2e4"], 1)
    box.close()
    assert wait_until(lambda: workers_of("scarce00") == 0)


def test_a_post_that_hangs_for_a_move_already_shown_is_left_alone() -> None:
    gate = threading.Event()
    harness = OutboxHarness(lambda: gate.wait(60))
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")
    harness.outbox.tick(time.monotonic() + 60.0)
    gate.set()
    harness.outbox.close()
    assert harness.posts == [("f1b5", False)]


def test_the_time_that_a_post_takes_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    monkeypatch.setattr(outbox, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    harness = OutboxHarness(lambda: now_s.__setitem__(0, 1000.25))
    move = harness.send()
    assert wait_until(lambda: move.accepted_s)
    assert move.posted_s == 1000.0
    assert harness.lag.overhead_ms == pytest.approx(250.0)
    harness.outbox.close()


def game_at_our_turn(**fields: int) -> Game:
    """A game whose present turn was seen to begin, at 100 s."""
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(state(BEFORE, **fields), 100.0)
    return one


def posted_at(one: Game, posted_s: float, uci: str = "f1b5") -> PostedMove:
    """A move that left so late."""
    move = PostedMove(one, uci)
    move.posted_s = posted_s
    return move


@pytest.mark.parametrize(
    ("increment_ms", "left_s", "answer", "after_ms", "loss_ms"),
    [(2_000, 103.0, "", 58_900, 100.0), (0, 101.0, " a7a6", 58_950, 50.0)],
    ids=["our move alone", "with the opponent's answer"],
)
def test_the_loss_is_what_our_clock_lost_beyond_our_own_time(
    increment_ms: int, left_s: float, answer: str, after_ms: int, loss_ms: float
) -> None:
    one = game_at_our_turn(wtime_ms=60_000, winc_ms=increment_ms)
    move = posted_at(one, left_s)
    one.apply(state(f"{BEFORE} f1b5{answer}", wtime_ms=after_ms, winc_ms=increment_ms), left_s + 0.2)
    assert move.loss_ms(one) == pytest.approx(loss_ms)


def slow_game() -> Game:
    """The same without a clock."""
    one = game(state("e2e4 e7e5 g1f3"), initial_ms=None, increment_ms=None, speed="correspondence")
    one.apply(state(BEFORE), 100.0)
    return one


@pytest.mark.parametrize(
    ("one", "uci", "moves"),
    [
        *[
            (None, "f1b5", moves)
            for moves in (
                "e2e4 e7e5 g1f3",  # a takeback
                "e2e4 e7e5 g1f3 g8f6",  # ... and another move of the opponent
                BEFORE + " f1c4",
                BEFORE + " a2a3",
                BEFORE + " f1b5 a7a6 b5a4",
            )
        ],
        (game(state()), "e2e4", "e2e4"),  # a free move
        (game(state(BEFORE)), "f1b5", BEFORE + " f1b5"),  # its turn was not seen to begin
        (slow_game(), "f1b5", BEFORE + " f1b5"),
    ],
)
def test_the_loss_is_unknown_where_the_two_watches_did_not_run_together(one: Game | None, uci: str, moves: str) -> None:
    one = one or game_at_our_turn()
    move = posted_at(one, 101.0, uci)
    one.apply(state(moves), 102.0)
    assert move.loss_ms(one) is None


def test_a_move_that_was_not_posted_has_no_loss() -> None:
    by_hand = game_at_our_turn()
    move = PostedMove(by_hand, "f1b5")
    by_hand.apply(state(BEFORE + " f1b5"), 102.0)
    assert move.loss_ms(by_hand) is None


def test_nothing_is_guessed_before_anything_was_measured() -> None:
    assert LagMeter().overhead_ms is None


def test_round_trips_stand_in_until_the_first_loss() -> None:
    meter = LagMeter()
    meter.add_round_trip(80.0)
    assert meter.overhead_ms == 80.0
    meter.add_loss(30.0)
    assert meter.overhead_ms == 30.0


def test_a_gain_is_no_loss() -> None:
    meter = LagMeter()
    meter.add_loss(-15_000.0)  # more time was given
    assert meter.overhead_ms == 0.0


def test_a_few_samples_are_not_settled() -> None:
    meter = LagMeter()
    for count in range(1, ENOUGH + 1):
        assert not meter.settled, count
        meter.add_loss(0.0)
    assert meter.settled
    meter.add_loss(0.0)
    assert meter.settled


def test_rare_peaks_are_covered_in_part_and_forgotten() -> None:
    steady = [20.0] * 36 + [400.0] * 4
    assert cautious_ms(steady) == 400.0 + (400.0 - 20.0) / 2
    assert cautious_ms([10.0, 30.0, 20.0]) == 30.0 + (30.0 - 20.0) / 2
    assert cautious_ms([20.0] * 39 + [400.0]) == 20.0
    meter = LagMeter()
    for loss in [900.0] * 5 + [10.0] * WINDOW:
        meter.add_loss(loss)
    assert meter.overhead_ms == 10.0


def test_loss_is_expected_minus_returned_clock() -> None:
    assert clock_loss_ms(60_000, 1_000.0, 2_000, 60_950) == 50.0
    assert clock_loss_ms(60_000, 1_000.0, 0, 59_000) == 0.0


def test_the_floor_holds_until_the_lag_is_measured() -> None:
    context = GameHarness(clock={"min_overhead_ms": 40}).context
    assert context.overhead_ms == 40.0
    context.lag.add_round_trip(90.0)
    assert context.overhead_ms == 90.0
    for _ in range(ENOUGH - 1):
        context.lag.add_loss(5.0)
    assert context.overhead_ms == 40.0
    context.lag.add_loss(5.0)
    assert context.overhead_ms == 5.0
