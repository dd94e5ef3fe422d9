"""A10: a game that is left does not wait for a line of its stream."""

from __future__ import annotations

import threading
from collections.abc import Callable

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until

SECONDS_TO_END = 2.0


def test_a_thread_that_waits_for_the_games_state_ends_with_the_game(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot]
) -> None:
    bot = make_bot(fake)
    game_id = fake.start_game("Alice", bot.name, clock=(600, 0))
    alice = fake.player("Alice", game_id)
    alice.move("e2e4")
    fake.wait_for_moves(game_id, 2)
    lost = FaultRule(endpoint="draw", fault="lost_answer", applied=False)
    silent = FaultRule(endpoint="game_stream", fault="silence", skip=1)  # the offer itself arrives
    fake.set_faults(FaultPlan(rules=(lost, silent)))
    alice.draw()  # the answer is lost, so the bot waits for the game's state
    assert wait_until(lambda: len(fake.requests("game_stream", game_id)) == 2)
    bot.dispatcher.registry.loops()[0].leave()
    assert wait_until(
        lambda: not [one for one in threading.enumerate() if one.name == f"actions-{game_id}"], SECONDS_TO_END
    )
