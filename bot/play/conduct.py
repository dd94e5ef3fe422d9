"""All decisions of one game besides moves: offers answered, an idle game aborted, wins claimed, resignation.

Called by the game loop under its lock, with the game's latest state. Actions send the requests, `chatter` the chat.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import chess.engine
import structlog

from bot.backoff import Backoff
from bot.engine_pool.values import OFFERS_DRAW, RESIGNS, Answer, centipawns
from bot.errors import LichessError, RateLimited, Rejected
from bot.lichess.server import Server
from bot.play.adjudication import Adjudicator, conduct_for
from bot.play.chat.chatter import Chatter
from bot.play.chat.commands import ChosenMove
from bot.play.game import FIRST_DRAW_OFFER_PLY, Game
from bot.play.game_context import GameContext
from bot.play.levels import GameLevel
from bot.settings import ConductSettings
from bot.supervised_loop import SupervisedLoop

RETRY_FIRST_S, RETRY_MOST_S = 0.2, 5.0
MAX_LIMIT_S = 60.0
STATE_WAIT_S = 5.0  # for the state after a lost answer, before it is requested again

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Action:
    """A request that is repeated until the server answers it, be it with a refusal, or until it is no longer wanted.

    `once`: it must not be applied twice, so after a lost answer the game's state is fetched before `wanted` decides
    about a repetition. `fresh`: the state is fetched before the first attempt too, because a silent stream may hide the
    reason not to make it. `answer`: what we answer, for the log.
    """

    name: str
    call: Callable[[], object]
    wanted: Callable[[], bool] = lambda: True
    once: bool = False
    fresh: bool = False
    answer: str = ""


class ActionQueue:
    """Performs the actions of one game in order, at most one of each name at a time.

    `refresh(timeout_s)` fetches the game's state and returns whether it arrived in time; `is_over()`: nothing is wanted
    any more.
    """

    def __init__(self, game_id: str, refresh: Callable[[float], bool], is_over: Callable[[], bool]) -> None:
        self._game_id = game_id
        self._refresh = refresh
        self._is_over = is_over
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._names: set[str] = set()
        self._loop = SupervisedLoop(f"actions-{game_id}", self._work)

    def run(self, action: Action) -> bool:
        """Queue an action; False if one of that name is not finished, or no thread can be started at the moment."""
        with self._lock:
            if action.name in self._names or self._loop.stopped or not self._loop.start():
                return False
            self._names.add(action.name)
        self._queue.put(action)
        return True

    def _is_wanted(self, action: Action) -> bool:
        return action.wanted() and not self._is_over() and not self._loop.stopped

    def close(self) -> None:
        """Drop waiting actions and end the thread."""
        self._loop.stop()
        self._queue.put(None)

    def _work(self) -> None:
        while (action := self._queue.get()) is not None:
            try:
                self._perform(action)
            finally:
                self._names.discard(action.name)

    def _perform(self, action: Action) -> None:
        backoff = Backoff(RETRY_FIRST_S, RETRY_MOST_S)
        if action.fresh:
            self._await_state(action)
        while self._is_wanted(action):
            try:
                action.call()
            except Rejected as error:
                log.info("action_refused", game_id=self._game_id, action=action.name, error=str(error))
                return
            except LichessError as error:
                log.warning("action_failed", game_id=self._game_id, action=action.name, error=str(error))
                least_s = min(error.retry_after_s, MAX_LIMIT_S) if isinstance(error, RateLimited) else 0.0
                self._loop.wait(backoff.next_s(least_s))
                if action.once and not isinstance(error, RateLimited):
                    self._await_state(action)
            else:
                answer = {"answer": action.answer} if action.answer else {}
                log.info("action_done", game_id=self._game_id, action=action.name, **answer)
                return

    def _await_state(self, action: Action) -> None:
        """Wait for a state sent from now on; ours may be outdated."""
        while self._is_wanted(action) and not self._refresh(STATE_WAIT_S):
            log.warning("game_state_not_refreshed", game_id=self._game_id, action=action.name)


TAKEBACK_S = 30.0  # how long we wait for the state after we have agreed to a takeback
TAKEBACK_SHARE = 3  # ... and no more than this part of our clock: a move for the old position is worth nothing
ASK_STATE_S = 1.0  # after so long the stream may have fallen silent: the state is asked for


class OfferAnswers:
    """Answers what the opponent offers. `run` queues an action as `ActionQueue.run` does.

    A takeback and a move of ours must not cross: whichever came second would meet a position that it was not meant for.
    So a takeback waits for the move that is under way, and once it is agreed to no move is sought until it shows; for
    that the state is asked for with `refresh`, for the stream may have fallen silent.
    """

    def __init__(
        self,
        server: Server,
        settings: ConductSettings,
        run: Callable[[Action], bool],
        accepts_draw: Callable[[Game], bool],
        refresh: Callable[[float], bool],
    ) -> None:
        self._server = server
        self._settings = settings
        self._run = run
        self._accepts_draw = accepts_draw
        self._refresh = refresh
        self._answered_draw: int | None = None  # revision whose draw offer has been answered
        self._answered_takeback: int | None = None
        self._agreed_takebacks = 0
        self._taken = False  # the server has just taken our agreement
        self.awaited_until_s = 0.0  # until when no move is sought, unless the takeback shows before
        self._ask_state_s = 0.0

    def answer(self, game: Game, now_s: float, *, moving: bool) -> bool:
        """Answer what stands; `moving`: a move of ours is under way. Returns whether a takeback is about to show."""
        if game.draw_offered and self._answered_draw != game.revision:
            self._answer_draw(game)
        if game.takeback_asked and self._answered_takeback != game.revision and not moving:
            self._answer_takeback(game, now_s)
        if self._taken:  # it may have hung for long: only now can the state be expected to show it
            self._taken = False
            self._await(game, now_s)
        revision = game.revision
        awaited = game.takeback_asked and self._answered_takeback == revision and now_s < self.awaited_until_s
        if awaited and now_s >= self._ask_state_s:
            ask = partial(self._refresh, TAKEBACK_S)
            if self._run(Action("takeback-state", ask, lambda: game.takeback_asked and game.revision == revision)):
                self._ask_state_s = self.awaited_until_s
        return awaited

    def _answer_draw(self, game: Game) -> None:
        revision, accept = game.revision, self._accepts_draw(game)
        action = Action(
            "draw-answer",
            lambda: self._server.draw(game.game_id, accept),
            lambda: game.draw_offered and game.revision == revision,
            once=True,
            answer=_answer_word(accept),
        )
        if self._run(action):
            self._answered_draw = revision

    def _answer_takeback(self, game: Game, now_s: float) -> None:
        revision, accept = game.revision, self._agreed_takebacks < conduct_for(self._settings, game).takebacks
        action = Action(
            "takeback-answer",
            partial(self._send_takeback_answer, game.game_id, accept),
            lambda: game.takeback_asked and game.revision == revision,
            once=True,
            answer=_answer_word(accept),
        )
        if self._run(action):
            self._answered_takeback = revision
            self._agreed_takebacks += accept
            if accept:
                self._await(game, now_s)

    def _send_takeback_answer(self, game_id: str, accept: bool) -> None:
        self._server.takeback(game_id, accept)
        self._taken = accept

    def _await(self, game: Game, now_s: float) -> None:
        self.awaited_until_s = now_s + min(TAKEBACK_S, game.my_clock_ms / 1000 / TAKEBACK_SHARE)
        self._ask_state_s = now_s + ASK_STATE_S


def _answer_word(accept: bool) -> str:
    return "agreed" if accept else "declined"


CLAIM_AGAIN_S, MOST_CLAIM_AGAIN_S = 10.0, 80.0  # after a refused claim
LICHESS_DRAW_OFFER_GAP = 20  # the server ignores an offer within 20 plies of the last


class Conduct:
    """The conduct of one game, with what has been said and done so far.

    `is_over()`: no action is wanted any more; `refresh(timeout_s)`: asks the server for the game's state, and returns
    whether it came in time.
    """

    def __init__(
        self,
        game_id: str,
        context: GameContext,
        is_over: Callable[[], bool],
        level: GameLevel,
        refresh: Callable[[float], bool],
    ) -> None:
        self._settings = context.settings.conduct
        self._server = context.server
        self._game_id = game_id
        self._actions = ActionQueue(game_id, refresh, is_over)
        self._run = self._actions.run
        self.chatter = Chatter(game_id, context, level)
        self._adjudicator = Adjudicator(self._settings)
        self.offers = OfferAnswers(context.server, self._settings, self._run, self._adjudicator.accepts_draw, refresh)
        self._offered_ply = -LICHESS_DRAW_OFFER_GAP
        self._next_claim_s = 0.0
        self._claims = Backoff(CLAIM_AGAIN_S, MOST_CLAIM_AGAIN_S, jitter=0.1)
        self._abort_asked = False
        self._engine_notes: tuple[str, ...] = ()

    def note_move(self, game: Game, uci: str, answer: Answer) -> None:
        """Take note of our move for the present position, before it is sent."""
        self._engine_notes = answer.notes
        self._adjudicator.add(answer)
        self.chatter.notes.add(ChosenMove(game.board.copy(stack=False), uci, answer), game.ply)

    @property
    def last_score(self) -> chess.engine.Score | None:
        """The score of our latest move, None before the first and after a book move."""
        return self._adjudicator.last_score

    def resigns(self, game: Game) -> bool:
        """Whether to resign instead of moving: the engine asks for it, or by the scores seen and by tables."""
        return RESIGNS in self._engine_notes or self._adjudicator.resigns(game)

    def resign(self) -> None:
        """Resign (or abort, while that is possible) until it is done or the game is over."""
        log.info("resigning", game_id=self._game_id, score_cp=centipawns(self.last_score))
        self._run(Action("resign", lambda: self._server.resign(self._game_id)))

    def offers_draw(self, game: Game, uci: str) -> bool:
        """Whether the move should carry a draw offer, or claim one."""
        if game.ply < FIRST_DRAW_OFFER_PLY or game.opponent.is_ai:
            return False
        adjudicator = self._adjudicator
        offers = OFFERS_DRAW in self._engine_notes or adjudicator.offers_draw(game)
        if offers and game.ply - self._offered_ply >= LICHESS_DRAW_OFFER_GAP:
            self._offered_ply = game.ply
            return True
        # an offer sent with the move is how Lichess takes a claim
        return adjudicator.claims_draw(game) and game.draw_after(uci)

    def tick(self, game: Game, now_s: float) -> None:
        """Report a level that has been set; abort a game that nobody begins; claim the win against who left."""
        self.chatter.tell_level(game)
        waiting = not game.my_turn and not game.is_correspondence and now_s >= (self.chatter.wait_until_s or 0.0)
        if game.abortable:
            patience_s = self._settings.abort_after_s
            if waiting and (now_s - game.turn_began_s >= patience_s or _may_claim(game, now_s)):
                self.abort(game)
        elif not game.my_turn and _may_claim(game, now_s):
            self._claim(game, now_s)
        elif not game.opponent_gone:
            self._claims.reset()

    def abort(self, game: Game) -> None:
        """Abort a game that has hardly begun, unless a fresh look shows the opponent's move; asked for once."""
        if not self._abort_asked:
            log.info("aborting_game", game_id=game.game_id)
            call, wanted = partial(self._server.abort, game.game_id), lambda: game.abortable and not game.my_turn
            self._abort_asked = self._run(Action("abort", call, wanted, fresh=True))

    def abort_unplayable(self) -> None:
        """Abort a game that we cannot read, if it has hardly begun; the server refuses where it has."""
        if not self._abort_asked:
            self._abort_asked = self._run(Action("abort", partial(self._server.abort, self._game_id)))

    def _claim(self, game: Game, now_s: float) -> None:
        """Claim the win, or the draw where we lack the material to mate; a refused claim is repeated after a while."""
        if now_s < self._next_claim_s:
            return
        self._next_claim_s = now_s + self._claims.next_s()
        can_mate = not game.board.has_insufficient_material(game.my_color)
        call = self._server.claim_victory if can_mate else self._server.claim_draw
        log.info("claiming", game_id=game.game_id, what="victory" if can_mate else "draw")
        self._run(Action("claim", lambda: call(game.game_id), lambda: game.claim_at_s is not None and not game.my_turn))

    def close(self) -> None:
        """Drop the actions that wait."""
        self._actions.close()


def _may_claim(game: Game, now_s: float) -> bool:
    """Whether the opponent has been gone for as long as the server asks for."""
    return game.claim_at_s is not None and now_s >= game.claim_at_s
