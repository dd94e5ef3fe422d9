"""A9: a game that begins again while its old loop is being put away keeps its slot."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.fake_lichess import FakeLichess
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until


class InterruptedLock:
    """A lock; the first time that a game's closing thread releases it, `interrupt` runs before anything else."""

    def __init__(self, lock: Any, interrupt: Callable[[], object]) -> None:
        self._lock = lock
        self._interrupt: Callable[[], object] | None = interrupt

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_exception: object) -> None:
        self._lock.release()
        interrupt = self._interrupt
        if interrupt is not None and threading.current_thread().name.startswith("end-"):
            self._interrupt = None
            interrupt()


def test_a_game_that_begins_again_at_once_holds_a_slot(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> None:
    bot = make_bot(fake, correspondence={"disconnect_after_s": 0.5})
    game_id = fake.start_game("Alice", bot.name, days=2)
    fake.player("Alice", game_id).move("e2e4")
    registry = bot.dispatcher.registry
    bot.dispatcher.reconciler.poke()
    assert wait_until(lambda: bool(registry.loops()))
    info = replace(registry.loops()[0].info, is_my_turn=True)
    began: list[bool] = []
    lock: Any = InterruptedLock(registry._lock, lambda: began.append(registry.begin(info)))
    registry._lock = lock
    assert wait_until(lambda: began == [True])
    assert wait_until(lambda: not any(thread.name.startswith("end-") for thread in threading.enumerate()))
    assert len(registry.loops()) == 1
    assert bot.dispatcher.slots.free() == 7
