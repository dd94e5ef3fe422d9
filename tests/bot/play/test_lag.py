"""What a move costs our clock beyond thinking: the loss of one move, and the meter of all games."""

from __future__ import annotations

import pytest

from bot.play.game import Game
from bot.play.outbox import ENOUGH, WINDOW, LagMeter, PostedMove, cautious_ms
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import game, state
from tests.helpers.outbox_harness import BEFORE


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
