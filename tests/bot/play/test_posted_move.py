"""A move on its way, and what it tells of the lag."""

from __future__ import annotations

import pytest

from bot.play.game import Game
from bot.play.lag import LagMeter
from bot.play.outbox import Delivery, Outbox
from bot.play.posted_move import Mail, SentMove
from tests.helpers.games import game, state
from tests.helpers.processes import wait_until

BEFORE = "e2e4 e7e5 g1f3 b8c6"


def at_our_turn(**fields: int) -> Game:
    """A game whose present turn was seen to begin, at 100 s."""
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(state(BEFORE, **fields), 100.0)
    return one


def sent_at(one: Game, posted_s: float, uci: str = "f1b5") -> SentMove:
    """A move that left so late."""
    delivery = Delivery(one.revision, uci)
    sent = SentMove(delivery, one)
    delivery.posted_s = posted_s
    return sent


def test_loss_is_what_our_clock_lost_beyond_our_own_time() -> None:
    one = at_our_turn(wtime_ms=60_000, winc_ms=2_000)
    sent = sent_at(one, 103.0)
    one.apply(state(BEFORE + " f1b5", wtime_ms=58_900, winc_ms=2_000), 103.2)
    assert sent.loss_ms(one) == pytest.approx(100.0)


def test_the_answer_of_the_opponent_may_come_in_the_same_line() -> None:
    one = at_our_turn(wtime_ms=60_000)
    sent = sent_at(one, 101.0)
    one.apply(state(BEFORE + " f1b5 a7a6", wtime_ms=58_950), 101.2)
    assert sent.loss_ms(one) == pytest.approx(50.0)


@pytest.mark.parametrize("moves", ["e2e4 e7e5 g1f3", BEFORE + " f1c4", BEFORE + " f1b5 a7a6 b5a4"])
def test_nothing_is_told_by_another_move_or_a_takeback(moves: str) -> None:
    one = at_our_turn()
    sent = sent_at(one, 101.0)
    one.apply(state(moves), 102.0)
    assert sent.loss_ms(one) is None


def test_nothing_is_told_by_free_moves_or_turns_we_did_not_see_begin() -> None:
    first = game(state())
    sent = sent_at(first, 101.0, "e2e4")
    first.apply(state("e2e4"), 101.0)
    assert sent.loss_ms(first) is None
    resumed = game(state(BEFORE))
    sent = sent_at(resumed, 101.0)
    resumed.apply(state(BEFORE + " f1b5"), 101.0)
    assert sent.loss_ms(resumed) is None


def test_mail_settles_when_the_state_moves_on() -> None:
    meter, posts = LagMeter(), list[str]()
    outbox = Outbox("abcdefgh", lambda uci, _draw: posts.append(uci), lambda: None, meter.saw_round_trip)
    mail, one = Mail(outbox, meter), at_our_turn()
    assert not mail.under_way
    mail.send(one, "f1b5", False)
    mail.settle(one)
    assert mail.under_way
    assert wait_until(lambda: meter.round_trip_ms is not None)
    one.apply(state(BEFORE + " f1b5"), 101.0)
    mail.settle(one)
    assert not mail.under_way
    assert posts == ["f1b5"]
    outbox.close()
