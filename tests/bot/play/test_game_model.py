"""Game, outbox, search and stream under arbitrary interleavings, against a simple model of the server.

Everything that would wait in a thread of its own is a step that hypothesis may take at any moment or never: a line is
delivered, lost or repeated, the stream breaks and opens again, an engine answers or fails, a POST is applied and
answered, one of both, or neither. Time is a number.
"""

from __future__ import annotations

import queue
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import chess
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.engine_pool import Answer, IllegalMove
from bot.errors import LichessError, NetworkError, RateLimited, Rejected
from bot.events import GameState
from bot.play import actions, game_loop, game_stream, outbox
from bot.play.game import UnplayableGameError
from bot.play.outbox import Outbox
from tests.helpers.game_harness import FakeSearch, GameHarness
from tests.helpers.model_server import ModelServer

ERRORS: list[LichessError | None] = [None, NetworkError("cut"), RateLimited(1.0), Rejected(400, "no")]
OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
DAMAGED = ("a1a1", "zzzz", "e2e4")


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


class GameMachine(RuleBasedStateMachine):
    """One game from its first line to its end."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1000.0
        self.workers: list[Generator[None, None, None]] = []
        self.answered: set[FakeSearch] = set()
        self.chosen: set[tuple[tuple[str, ...], str]] = set()
        clock = SimpleNamespace(monotonic=lambda: self.now_s)
        self.patches: list[Any] = [patch.object(module, "time", clock) for module in (game_loop, outbox, game_stream)]
        self.patches += [
            patch.object(outbox, "start_thread", self.start_worker),
            patch.object(actions, "start_thread", lambda *_: True),
            patch.object(game_stream, "start_thread", lambda *_: True),
            patch.object(game_loop, "start_thread", lambda *_: True),
        ]
        for one in self.patches:
            one.start()

    def teardown(self) -> None:
        """Let everything go well from here: the bot must make the move that it owes."""
        try:
            self.settle_down()
        finally:
            self.harness.context.chat.close()
            for one in self.patches:
                one.stop()

    def start_worker(self, _purpose: str, _game_id: str, _work: object) -> bool:
        """A step-wise worker in place of a thread."""
        self.workers.append(work(self.loop._outbox))
        return True

    @initialize(my_color=st.booleans(), takebacks=st.integers(0, 3), plies=st.integers(0, 5))
    def begin(self, my_color: chess.Color, takebacks: int, plies: int) -> None:
        """A game is taken up and its stream is open."""
        self.server = ModelServer(my_color)
        for uci in OPENING[:plies]:
            self.server.push(uci)
        self.server.on_post = self.check_post
        self.harness = GameHarness(server=self.server, conduct={"takebacks": takebacks})
        self.loop = self.harness.loop
        for holder, name in ((self.loop._reader, "reopen"), (self.loop._outbox, "_reopen_stream")):
            setattr(holder, name, lambda _why: self.break_stream())  # the stream is a model here
        self.loop.start()
        self.open_stream()

    # -- invariants ----------------------------------------------------------------------------------------------

    def check_post(self, uci: str) -> None:
        """A move is posted for the position that the bot sees, as its search chose it, and not after the end."""
        game = self.loop.game  # noted, not asserted: the outbox survives every exception of a POST
        if self.loop.end_reason is not None or game is None:
            self.server.faults.append("posted after the end")
        elif (game.state.moves, uci) not in self.chosen:
            self.server.faults.append("posted for another position")

    @invariant()
    def something_is_under_way(self) -> None:
        """Where the bot sees that it is its turn, it searches, posts, or has a time at which it will."""
        loop = self.loop
        if loop.game is None or loop.end_reason is not None or not loop.game.wants_move:
            return
        waits = loop._search._not_before_s > self.now_s or loop._end_expected_s is not None
        assert loop._search.active or loop._outbox.pending or waits or loop._resigned_until_s > self.now_s

    @invariant()
    def one_search_at_a_time(self) -> None:
        """No engine works for a position that is gone."""
        assert len(self.open_searches()) <= (0 if self.loop._outbox.pending else 1)
        for search in self.open_searches():
            assert self.loop.game is not None
            assert moves_of(search.board) == self.loop.game.state.moves

    @invariant()
    def no_request_is_wrong(self) -> None:
        """No move for another position or after the end, no takeback of its own, no resignation."""
        assert self.server.faults == []

    def open_searches(self) -> list[FakeSearch]:
        """Searches neither answered nor abandoned."""
        searches = self.harness.engine.searches
        return [one for one in searches if one not in self.answered and not one.abandoned.is_set()]

    # -- the stream ----------------------------------------------------------------------------------------------

    def break_stream(self) -> None:
        """The stream ends; what was on its way is lost."""
        self.server.lines = None

    @precondition(lambda self: self.server.lines is None)
    @rule()
    def open_stream(self) -> None:
        """A stream begins with the whole truth."""
        self.server.open_stream()

    @precondition(lambda self: self.server.lines)
    @rule(fate=st.sampled_from(["delivered", "delivered", "delivered", "lost", "repeated", "damaged"]))
    def line(self, fate: str) -> None:
        """The next line arrives, or not as it was sent."""
        assert self.server.lines
        event = self.server.lines.popleft()
        if fate == "lost":
            return
        if fate == "damaged" and isinstance(event, GameState):
            moves = (*event.moves[:-1], DAMAGED[len(event.moves) % len(DAMAGED)])
            event = GameState(moves, event.wtime_ms, event.btime_ms)
        for _ in range(2 if fate == "repeated" else 1):
            self.deliver(event)

    def deliver(self, event: Any) -> None:
        """Hand the bot a line; one that it cannot read breaks the stream."""
        try:
            self.harness.receive(event, self.now_s)
        except UnplayableGameError:
            self.break_stream()

    @rule()
    def stream_breaks(self) -> None:
        """At any moment."""
        self.break_stream()

    # -- the opponent and the account ------------------------------------------------------------------------------

    @precondition(lambda self: self.server.running and not self.server.my_turn)
    @rule(number=st.integers(0, 30))
    def opponent_moves(self, number: int) -> None:
        """Any legal move."""
        legal = list(self.server.board.legal_moves)
        self.server.push(legal[number % len(legal)].uci())

    @precondition(lambda self: self.server.my_turn)
    @rule(number=st.integers(0, 30))
    def owner_moves(self, number: int) -> None:
        """Somebody else plays for our account: by hand, or another program with our token."""
        legal = list(self.server.board.legal_moves)
        self.server.push(legal[number % len(legal)].uci())

    @precondition(lambda self: self.server.running)
    @rule(what=st.sampled_from(["takeback", "takeback", "draw", "gone", "back", "cancel"]))
    def opponent_acts(self, what: str) -> None:
        """Offers, proposals, comings and goings."""
        if what in ("gone", "back"):
            self.server.gone(5 if what == "gone" else None)
        elif what == "cancel":
            self.server.draw_offered = self.server.takeback_asked = False
            self.server.announce()
        elif len(self.server.moves) >= 2:
            if what == "takeback":
                self.server.propose_takeback()
            else:
                self.server.draw_offered = True
                self.server.announce()

    @precondition(lambda self: self.server.running and len(self.server.moves) > 6)
    @rule(told=st.booleans())
    def game_ends(self, told: bool) -> None:
        """The opponent resigns; the account's stream may tell first."""
        self.server.end("resign")
        if told:
            self.loop.expect_end(self.loop.info)

    # -- the bot's threads -------------------------------------------------------------------------------------------

    @precondition(lambda self: self.harness.engine.searches)
    @rule(late=st.integers(0, 3), number=st.integers(0, 40), fails=st.booleans())
    def engine_answers(self, late: int, number: int, fails: bool) -> None:
        """The latest search, or one that nobody waits for any more."""
        self.answer(self.harness.engine.searches[-1 - late % len(self.harness.engine.searches)], number, fails=fails)

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

    @precondition(lambda self: self.workers)
    @rule(which=st.integers(0, 5), applied=st.booleans(), error=st.sampled_from(ERRORS))
    def worker_goes_on(self, which: int, applied: bool, error: LichessError | None) -> None:
        """Post, if there is anything to post; a refusal or limit has not been applied."""
        self.server.outcome = (applied and not isinstance(error, RateLimited | Rejected), error)
        if error is None and not applied:
            self.server.outcome = (False, NetworkError("lost on the way"))
        self.step_worker(self.workers[which % len(self.workers)])

    def step_worker(self, worker: Generator[None, None, None]) -> None:
        """Until it would wait."""
        try:
            next(worker)
        except StopIteration:
            self.workers.remove(worker)

    @rule(lost=st.booleans())
    def action_is_performed(self, lost: bool) -> None:
        """The next answer to an offer goes out; when its own answer is lost, the state is asked for first."""
        conduct = self.loop._conduct
        try:
            action = conduct._actions._queue.get_nowait()
        except queue.Empty:
            return
        if action is not None and action.wanted():
            try:
                action.call()
            except Rejected:
                lost = False
            if lost and action.once:
                self.server.open_stream()
                assert self.server.lines
                self.deliver(self.server.lines.popleft())
                assert not action.wanted(), "would be repeated although it was applied"
        if action is not None:
            conduct._actions._names.discard(action.name)

    @rule(seconds=st.sampled_from([0.25, 1.0, 5.0, 30.0]))
    def time_passes(self, seconds: float) -> None:
        """And the ticker comes by."""
        self.now_s += seconds
        self.loop.tick(self.now_s)
        self.harness.engine.searches[:] = self.harness.engine.searches[-4:]

    # -- the end -----------------------------------------------------------------------------------------------------

    def settle_down(self) -> None:
        """With a stream that lives, engines and POSTs that succeed, no move of ours stays owed."""
        if not hasattr(self, "loop"):
            return
        self.server.outcome = (True, None)
        for _ in range(40):
            if self.loop.end_reason is not None or not self.server.my_turn:
                break
            if self.server.lines is None:
                self.server.open_stream()
            while self.server.lines:
                self.deliver(self.server.lines.popleft())
            for search in self.open_searches():
                self.answer(search)
            for worker in list(self.workers):
                self.step_worker(worker)
            self.time_passes(1.0)
        assert self.loop.end_reason is not None or not self.server.my_turn, "a move stays owed"
        if self.loop.end_reason is not None:
            assert not self.server.running or self.loop._end_expected_s is not None, "left a game that runs"


def moves_of(board: chess.Board) -> tuple[str, ...]:
    """The moves that lead to the board."""
    return tuple(move.uci() for move in board.move_stack)


TestGameModel = GameMachine.TestCase
TestGameModel.settings = settings(
    max_examples=100, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
