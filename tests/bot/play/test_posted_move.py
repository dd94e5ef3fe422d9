"""A move on its way, and what it tells of the lag."""

from __future__ import annotations

import pytest

from bot.play.game import Game
from bot.play.posted_move import PostedMove
from tests.helpers.games import game, state

BEFORE = "e2e4 e7e5 g1f3 b8c6"


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


def test_loss_is_what_our_clock_lost_beyond_our_own_time() -> None:
    one = game_at_our_turn(wtime_ms=60_000, winc_ms=2_000)
    move = posted_at(one, 103.0)
    one.apply(state(BEFORE + " f1b5", wtime_ms=58_900, winc_ms=2_000), 103.2)
    assert move.loss_ms(one) == pytest.approx(100.0)


def test_the_answer_of_the_opponent_may_come_in_the_same_line() -> None:
    one = game_at_our_turn(wtime_ms=60_000)
    move = posted_at(one, 101.0)
    one.apply(state(BEFORE + " f1b5 a7a6", wtime_ms=58_950), 101.2)
    assert move.loss_ms(one) == pytest.approx(50.0)


@pytest.mark.parametrize(
    "moves",
    [
        "e2e4 e7e5 g1f3",
        "e2e4 e7e5 g1f3 g8f6",  # another move of the opponent in place of the one taken back
        BEFORE + " f1c4",
        BEFORE + " a2a3",
        BEFORE + " f1b5 a7a6 b5a4",
    ],
)
def test_nothing_is_told_by_another_move_or_a_takeback(moves: str) -> None:
    one = game_at_our_turn()
    move = posted_at(one, 101.0)
    one.apply(state(moves), 102.0)
    assert move.loss_ms(one) is None


def test_nothing_is_told_by_a_move_that_somebody_else_made_for_us_or_a_game_of_days() -> None:
    by_hand = game_at_our_turn()
    move = PostedMove(by_hand, "f1b5")
    by_hand.apply(state(BEFORE + " f1b5"), 102.0)
    assert move.loss_ms(by_hand) is None
    slow = game(state("e2e4 e7e5 g1f3"), initial_ms=None, increment_ms=None, speed="correspondence")
    slow.apply(state(BEFORE), 100.0)
    move = posted_at(slow, 101.0)
    slow.apply(state(BEFORE + " f1b5"), 102.0)
    assert move.loss_ms(slow) is None


def test_nothing_is_told_by_free_moves_or_turns_we_did_not_see_begin() -> None:
    first = game(state())
    move = posted_at(first, 101.0, "e2e4")
    first.apply(state("e2e4"), 101.0)
    assert move.loss_ms(first) is None
    resumed = game(state(BEFORE))
    move = posted_at(resumed, 101.0)
    resumed.apply(state(BEFORE + " f1b5"), 101.0)
    assert move.loss_ms(resumed) is None
