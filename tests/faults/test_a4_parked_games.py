"""A4: a correspondence game in which it is our turn gets a free slot before a new challenge does."""

from __future__ import annotations

from collections.abc import Callable

from bot.fake_lichess import FakeLichess
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until

SECONDS_FOR_A_MOVE = 10.0


def test_a_freed_slot_goes_to_the_parked_game_first(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> None:
    bot = make_bot(fake, concurrency=1, reconcile_every_s=0.2)
    running = fake.start_game("Alice", bot.name, clock=(600, 0))
    assert wait_until(lambda: bot.dispatcher.slots.free() == 0)
    slow = fake.start_game("Bobby", bot.name, days=2)
    fake.player("Bobby", slow).move("e2e4")
    waiting = fake.challenge("Fresh", bot.name, clock=(600, 0))
    assert wait_until(lambda: len(bot.dispatcher.queue.waiting()) == 1)
    asked = len(fake.requests("playing"))
    assert wait_until(lambda: len(fake.requests("playing")) >= asked + 2), (
        "the list that shows our turn was not fetched"
    )
    fake.player("Alice", running).resign()
    assert len(fake.wait_for_moves(slow, 2, SECONDS_FOR_A_MOVE).moves) == 2
    assert fake.challenge_status(waiting) == "created", "the challenge was accepted first"
