"""One game loop cut into steps: what would wait in a separate thread continues only on request."""

from __future__ import annotations

import queue
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import chess

from bot.engine_pool.values import Answer, IllegalMove
from bot.play import game_loop, game_stream, outbox
from bot.play.game import UnplayableGameError
from bot.play.outbox import Outbox
from bot.supervised_loop import SupervisedLoop
from tests.helpers.game_harness import FakeSearch, GameHarness
from tests.helpers.model_server import ModelServer


def moves_of(board: chess.Board) -> tuple[str, ...]:
    """The moves that lead to the board."""
    return tuple(move.uci() for move in board.move_stack)


def work(box: Outbox) -> Generator[None, None, None]:
    """A worker of the outbox, cut where its thread would wait."""
    while True:
        try:
            move = box._queue.get_nowait()
        except queue.Empty:
            yield
            continue
        if move is None:
            return
        while not move.settled.is_set():
            box._attempt(move)
            yield
        if box._retire():
            return


class GameSteps:
    """A game loop, its engine, its outbox's workers and the server's stream, on a clock that is a number."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.workers: list[Generator[None, None, None]] = []
        self.answered: set[FakeSearch] = set()
        self.chosen: set[tuple[tuple[str, ...], str]] = set()
        clock = SimpleNamespace(monotonic=lambda: self.now_s)
        self.patches: list[Any] = [patch.object(module, "time", clock) for module in (game_loop, outbox, game_stream)]
        self.patches += [
            patch.object(outbox, "start_thread", self.start_worker),
            patch.object(SupervisedLoop, "start", lambda _: True),
            patch.object(game_stream, "start_thread", lambda *_: True),
            patch.object(game_loop, "start_thread", lambda *_: True),
            patch.object(game_stream.GameReader, "refresh", lambda *_: self.refresh()),
        ]
        for one in self.patches:
            one.start()

    def start_worker(self, _purpose: str, _game_id: str, _work: object) -> bool:
        """A step-wise worker in place of a thread."""
        self.workers.append(work(self.loop._outbox))
        return True

    def stop(self) -> None:
        """Put the clock and the threads back."""
        for one in self.patches:
            one.stop()

    def begin_game(self, server: ModelServer, takebacks: int) -> None:
        """Resume the server's game; its stream is open."""
        self.server = server
        self.server.on_post = self.check_post
        self.harness = GameHarness(server=self.server, conduct={"takebacks": takebacks})
        self.loop = self.harness.loop
        for holder, name in ((self.loop._reader, "reopen"), (self.loop._outbox, "_reopen_stream")):
            setattr(holder, name, lambda _why: self.break_stream())  # the stream is a model here
        self.loop.start()
        self.server.open_stream()

    def check_post(self, uci: str) -> None:
        """A move is posted for the position that the bot sees, as its search chose it, and not after the end."""
        game = self.loop.game  # noted, not asserted: the outbox survives every exception of a POST
        if self.loop.end_reason is not None or game is None:
            self.server.faults.append("posted after the end")
        elif (game.state.moves, uci) not in self.chosen:
            self.server.faults.append("posted for another position")

    def refresh(self) -> bool:
        """The state is asked for; its line arrives when it is delivered."""
        self.server.open_stream()
        return True

    def break_stream(self) -> None:
        """The stream ends; what was on its way is lost."""
        self.server.lines = None

    def open_searches(self) -> list[FakeSearch]:
        """Searches neither answered nor abandoned."""
        searches = self.harness.engine.searches
        return [one for one in searches if one not in self.answered and not one.abandoned.is_set()]

    def deliver(self, event: Any) -> None:
        """Hand the bot a line; one that it cannot read breaks the stream."""
        try:
            self.harness.receive(event, self.now_s)
        except UnplayableGameError:
            self.break_stream()

    def answer(self, search: FakeSearch, number: int = 0, *, fails: bool = False) -> None:
        """An answer comes once, from the pool's thread."""
        if search in self.answered:
            return
        self.answered.add(search)
        legal = list(search.board.legal_moves)
        move = legal[number % len(legal)]
        self.chosen.add((moves_of(search.board), move.uci()))
        if self.loop.game is not None:  # what is played where no engine answers
            self.chosen.update((moves_of(search.board), one.uci()) for one in legal if fails)
        search.on_done(Answer(None, error=IllegalMove("e1e5")) if fails else Answer(move, engine="test"))

    def step_worker(self, worker: Generator[None, None, None]) -> None:
        """Until it would wait."""
        try:
            next(worker)
        except StopIteration:
            self.workers.remove(worker)
