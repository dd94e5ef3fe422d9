"""All decisions of one game besides moves: offers answered, an idle game aborted, wins claimed, resignation, chat.

Called by the game loop under its lock, with the game's latest state; the sending is left to actions and chat.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import structlog

from bot.backoff import Backoff
from bot.events import ChatLine
from bot.play.actions import Action, ActionQueue
from bot.play.adjudication import Adjudicator
from bot.play.chat import MAX_ANSWERS, answer_to, fill
from bot.play.game import FIRST_DRAW_OFFER_PLY, Game
from bot.play.game_context import GameContext

CLAIM_AGAIN_S, MOST_CLAIM_AGAIN_S = 10.0, 80.0  # after a refused claim
GREETING_PATIENCE_S = 5.0
LICHESS_DRAW_OFFER_GAP = 20  # the server ignores an offer within 20 plies of the last

log = structlog.get_logger(__name__)


class Conduct:
    """The conduct of one game, with what has been said and done so far.

    `is_over()`: no action is wanted any more; `engine_name()`: what the engine calls itself, empty until it is known;
    `refresh(timeout_s)`: asks the server for the game's state, returns whether it came in time.
    """

    def __init__(
        self,
        game_id: str,
        context: GameContext,
        is_over: Callable[[], bool],
        engine_name: Callable[[], str],
        refresh: Callable[[float], bool] = lambda _timeout_s: True,
    ) -> None:
        self._settings = context.settings.conduct
        self._server = context.server
        self._chat = context.chat
        self._my_name = context.my_name
        self._is_over = is_over
        self._game_id = game_id
        self._actions = ActionQueue(game_id, refresh)
        self._engine_name = engine_name
        self._adjudicator = Adjudicator(self._settings.resign, self._settings.draw)
        self._answered_draw: int | None = None  # revision whose draw offer has been answered
        self._answered_takeback: int | None = None
        self._takebacks = 0
        self._answers = 0
        self._offered_ply = -LICHESS_DRAW_OFFER_GAP
        self._next_claim_s = 0.0
        self._claims = Backoff(CLAIM_AGAIN_S, MOST_CLAIM_AGAIN_S, jitter=0.1)
        self._abort_asked = False
        self._greeted = False
        self._greet_by_s: float | None = None  # when a greeting is sent though the engine's name is not known yet

    # -- scores -------------------------------------------------------------------------------------------------

    def add_score(self, score_cp: int | None) -> None:
        """Take note of our move's score, positive when we are better; None for a move without one."""
        self._adjudicator.add_score(score_cp)

    @property
    def last_score_cp(self) -> int | None:
        """The score of our latest move, None before the first and after a book move."""
        return self._adjudicator.last_score_cp

    # -- chat ---------------------------------------------------------------------------------------------------

    def greet(self, game: Game, now_s: float) -> None:
        """Say hello once, in a game that has just begun; call it again and again.

        A greeting that names the engine waits for the name, though not for long.
        """
        if self._greeted:
            return
        if self._greet_by_s is None:
            self._greet_by_s = now_s + GREETING_PATIENCE_S
            self._greeted = game.ply >= 2  # taken up in the middle
        chat = self._settings.chat
        unknown = "{engine}" in chat.greeting + chat.spectator_greeting and not self._engine_name()
        if not self._greeted and (not unknown or now_s >= self._greet_by_s):
            self._greeted = True
            self._say_both(game, chat.greeting, chat.spectator_greeting)

    def say_goodbye(self, game: Game) -> None:
        """Say goodbye after a game that was played."""
        if game.ply >= 2:
            self._say_both(game, self._settings.chat.farewell, self._settings.chat.spectator_farewell)

    def answer_chat(self, game: Game, line: ChatLine) -> None:
        """Answer a command."""
        if not self._settings.chat.answer_commands or self._answers >= MAX_ANSWERS:
            return
        score = self.last_score_cp
        facts = {
            "name": f"I am {self._my_name}, a bot.",
            "engine": f"My engine is {self._engine_name() or 'still starting'}.",
            "eval": "No evaluation yet." if score is None else f"I think I am at {score / 100:+.2f}.",
        }
        answer = answer_to(line, self._my_name, facts)
        if answer:
            self._answers += 1
            self._chat.say(game.game_id, line.room, answer)

    def _say_both(self, game: Game, to_player: str, to_spectators: str) -> None:
        values = {"me": self._my_name, "opponent": game.opponent.label, "engine": self._engine_name()}
        for room, text in (("player", to_player), ("spectator", to_spectators)):
            if text and not (room == "player" and game.opponent.is_ai):
                self._chat.say(game.game_id, room, fill(text, values))

    # -- offers of the opponent ---------------------------------------------------------------------------------

    def answer_offers(self, game: Game) -> None:
        """Answer a standing draw or takeback offer, each once."""
        revision = game.revision
        if game.draw_offered and self._answered_draw != revision:
            accept = self._adjudicator.accepts_draw(game.ply)
            if self._run(
                "draw-answer",
                lambda: self._server.draw(game.game_id, accept),
                lambda: game.draw_offered and game.revision == revision,
                once=True,
            ):
                self._answered_draw = revision
        if game.takeback_asked and self._answered_takeback != revision:
            accept_back = self._takebacks < self._settings.takebacks
            if self._run(
                "takeback-answer",
                lambda: self._server.takeback(game.game_id, accept_back),
                lambda: game.takeback_asked and game.revision == revision,
                once=True,
            ):
                self._answered_takeback = revision
                self._takebacks += accept_back

    # -- our own offers and claims -------------------------------------------------------------------------------

    def resigns(self, game: Game) -> bool:
        """Whether to resign instead of moving, by the scores seen."""
        return self._adjudicator.resigns(game.ply)

    def resign(self) -> None:
        """Resign (or abort, while that is possible) until it is done or the game is over."""
        log.info("resigning", game_id=self._game_id, score_cp=self.last_score_cp)
        self._run("resign", lambda: self._server.resign(self._game_id), lambda: True)

    def offers_draw(self, game: Game, uci: str) -> bool:
        """Whether the move should carry a draw offer, or claim one."""
        if game.ply < FIRST_DRAW_OFFER_PLY or game.opponent.is_ai:
            return False
        adjudicator = self._adjudicator
        if adjudicator.offers_draw(game.ply) and game.ply - self._offered_ply >= LICHESS_DRAW_OFFER_GAP:
            self._offered_ply = game.ply
            return True
        # an offer sent with the move is how Lichess takes a claim
        return self._settings.claim_draw and adjudicator.claims_draw and game.draw_after(uci)

    def tick(self, game: Game, now_s: float) -> None:
        """Abort a game that nobody begins; claim the win against an opponent who left."""
        waiting = not game.my_turn and not game.is_correspondence
        if game.abortable:
            if waiting and (now_s - game.turn_began_s >= self._settings.abort_after_s or _may_claim(game, now_s)):
                self.abort(game)
        elif self._settings.claim_victory and not game.my_turn and _may_claim(game, now_s):
            self._claim(game, now_s)
        elif not game.opponent_gone:
            self._claims.reset()

    def abort(self, game: Game) -> None:
        """Abort a game that has hardly begun; asked for once."""
        if not self._abort_asked:
            log.info("aborting_game", game_id=game.game_id)
            call = partial(self._server.abort, game.game_id)
            self._abort_asked = self._run("abort", call, lambda: game.abortable)

    def abort_unplayable(self) -> None:
        """Abort a game that we cannot read, if it has hardly begun; the server refuses where it has."""
        if not self._abort_asked:
            self._abort_asked = self._run("abort", partial(self._server.abort, self._game_id), lambda: True)

    def _claim(self, game: Game, now_s: float) -> None:
        """Claim the win, or the draw where we lack the material to mate; a refused claim is repeated after a while."""
        if now_s < self._next_claim_s:
            return
        self._next_claim_s = now_s + self._claims.next_s()
        can_mate = not game.board.has_insufficient_material(game.my_color)
        call = self._server.claim_victory if can_mate else self._server.claim_draw
        log.info("claiming", game_id=game.game_id, what="victory" if can_mate else "draw")
        self._run("claim", lambda: call(game.game_id), lambda: game.claim_at_s is not None and not game.my_turn)

    def close(self) -> None:
        """Drop the actions that wait."""
        self._actions.close()

    def _run(self, name: str, call: Callable[[], object], wanted: Callable[[], bool], *, once: bool = False) -> bool:
        return self._actions.run(Action(name, call, lambda: wanted() and not self._is_over(), once))


def _may_claim(game: Game, now_s: float) -> bool:
    """Whether the opponent has been gone for as long as the server asks for."""
    return game.claim_at_s is not None and now_s >= game.claim_at_s
