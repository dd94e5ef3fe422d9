"""Threads that meet in one game: each test fails without the locks of the class it names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from bot.events import GameInfo, Player
from bot.play import game_loop, outbox
from bot.play.game_context import EndReason
from bot.play.game_loop import GameLoop
from bot.play.outbox import Outbox
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import full, state
from tests.helpers.interleave import Threads, interleave

NOW_S = 100.0
CORRESPONDENCE = GameInfo("abcdefgh", "white", Player("alice", "Alice"), speed="correspondence")


class Harness(GameHarness):
    """A game whose threads do not run; `started` holds the purpose of each that was started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, info: GameInfo | None = None) -> None:
        super().__init__(info)
        self.context.chat.close()
        self.started: list[str] = []
        for module in (game_loop, outbox):
            monkeypatch.setattr(module, "start_thread", self._start_thread)

    def _start_thread(self, purpose: str, _game_id: str, _work: object) -> bool:
        self.started.append(purpose)
        return True

    @property
    def searches_running(self) -> int:
        """Searches that the engine still carries out."""
        return sum(not search.abandoned.is_set() for search in self.engine.searches)


def mate(loop: GameLoop) -> None:
    """The stream shows the end of the game."""
    loop._on_event(full(state(status="mate")), NOW_S)


def my_turn(loop: GameLoop) -> None:
    """The stream shows that it is our turn."""
    loop._on_event(full(), NOW_S)


@pytest.mark.parametrize("ending", [GameLoop._on_gone, GameLoop.leave, mate], ids=["gone", "leave", "mate"])
def test_a_game_ends_once(monkeypatch: pytest.MonkeyPatch, ending: Callable[[GameLoop], None]) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)

        def end(ending: Callable[[GameLoop], None]) -> EndReason | None:
            ending(harness.loop)
            return harness.loop.end_reason

        reasons = threads.run(partial(end, ending), partial(end, GameLoop.leave))
        assert harness.started == ["end"]
        assert len(set(reasons)) == 1

    interleave(scenario, GameLoop)


@pytest.mark.parametrize("news", [my_turn, partial(GameLoop.tick, now_s=NOW_S)], ids=["line", "tick"])
@pytest.mark.parametrize("ending", [GameLoop.leave, partial(GameLoop.expect_end, info=CORRESPONDENCE)])
def test_no_search_outlives_its_game(
    monkeypatch: pytest.MonkeyPatch, news: Callable[[GameLoop], None], ending: Callable[[GameLoop], None]
) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)
        my_turn(harness.loop)
        harness.loop._search.cancel()
        threads.run(partial(news, harness.loop), partial(ending, harness.loop))
        assert harness.searches_running == 0

    interleave(scenario, GameLoop)


def test_a_game_in_which_it_is_our_turn_is_not_parked(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch, CORRESPONDENCE)
        harness.receive(full(state("e2e4"), speed="correspondence", initial_ms=None, increment_ms=None))
        threads.run(
            lambda: harness.loop.park_if_idle(NOW_S + 1_000_000.0),
            lambda: harness.receive(state("e2e4 e7e5")),
        )
        game = harness.loop.game
        assert game is not None
        assert game.wants_move == (harness.loop.end_reason is None)

    interleave(scenario, GameLoop)


def test_the_threads_of_a_game_are_started_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick may come while they are being started."""

    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)
        threads.run(harness.loop.start, lambda: harness.loop.tick(NOW_S))
        assert harness.started == ["outbox"]
        harness.loop.leave()
        harness.loop._reader.stop()

    interleave(scenario, GameLoop, Outbox)
