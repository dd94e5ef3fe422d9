"""Game, outbox, search and stream under arbitrary interleavings, against a simple model of the server.

Everything that would wait in a thread of its own is a step that hypothesis may take at any moment or never: a line is
delivered, lost or repeated, the stream breaks and opens again, an engine answers or fails, a POST is applied and
answered, one of both, or neither. Time is a number.
"""

from __future__ import annotations

import queue

import chess
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.errors import LichessError, NetworkError, RateLimited, Rejected
from bot.events.game import GameState
from tests.helpers.examples import scaled
from tests.helpers.game_steps import GameSteps, moves_of
from tests.helpers.model_server import ModelServer

ERRORS: list[LichessError | None] = [None, NetworkError("cut"), RateLimited(1.0), Rejected(400, "no")]
OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
DAMAGED = ("a1a1", "zzzz", "e2e4")


class GameMachine(GameSteps, RuleBasedStateMachine):
    """One game from its first line to its end."""

    def __init__(self) -> None:
        RuleBasedStateMachine.__init__(self)
        GameSteps.__init__(self)

    def teardown(self) -> None:
        """Let everything go well from here: the bot must make the move that it owes."""
        try:
            self.settle_down()
        finally:
            self.stop()

    @initialize(my_color=st.booleans(), takebacks=st.integers(0, 3), plies=st.integers(0, 5))
    def begin(self, my_color: chess.Color, takebacks: int, plies: int) -> None:
        """A game is resumed and its stream is open."""
        server = ModelServer(my_color)
        for uci in OPENING[:plies]:
            server.push(uci)
        self.begin_game(server, takebacks)

    # -- invariants ----------------------------------------------------------------------------------------------

    @invariant()
    def something_is_under_way(self) -> None:
        """Where the bot sees that it is its turn, it searches, posts, or has a time at which it will."""
        loop = self.loop
        if loop.game is None or loop.end_reason is not None or not loop.game.wants_move:
            return
        waits = loop._search._not_before_s > self.now_s or loop._end_expected_s is not None
        waits = waits or loop._conduct.offers.awaited_until_s > self.now_s
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

    # -- the stream ----------------------------------------------------------------------------------------------

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
        """The opponent resigns; the account's stream may show it first."""
        self.server.end("resign")
        if told:
            self.loop.expect_end()

    # -- the bot's threads -------------------------------------------------------------------------------------------

    @precondition(lambda self: self.harness.engine.searches)
    @rule(late=st.integers(0, 3), number=st.integers(0, 40), fails=st.booleans())
    def engine_answers(self, late: int, number: int, fails: bool) -> None:
        """The latest search, or one that nobody waits for any more."""
        self.answer(self.harness.engine.searches[-1 - late % len(self.harness.engine.searches)], number, fails=fails)

    @precondition(lambda self: self.workers)
    @rule(which=st.integers(0, 5), applied=st.booleans(), error=st.sampled_from(ERRORS))
    def worker_goes_on(self, which: int, applied: bool, error: LichessError | None) -> None:
        """Post, if there is anything to post; a refusal or limit has not been applied."""
        self.server.outcome = (applied and not isinstance(error, RateLimited | Rejected), error)
        if error is None and not applied:
            self.server.outcome = (False, NetworkError("lost on the way"))
        self.step_worker(self.workers[which % len(self.workers)])

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


TestGameModel = GameMachine.TestCase
TestGameModel.settings = settings(
    max_examples=scaled(100), stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
