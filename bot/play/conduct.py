"""Manners of one game: answers offers, aborts an idle game, claims what an absent opponent owes, resigns, talks.

Called by the game loop under its lock, with the game just folded. Decides, and leaves the sending to actions and chat.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.events import ChatLine
from bot.play.actions import Action, ActionQueue
from bot.play.adjudication import Adjudicator
from bot.play.chat import MAX_ANSWERS, answer_to, fill
from bot.play.game import FIRST_DRAW_OFFER_PLY, Game
from bot.play.game_context import GameContext

CLAIM_AGAIN_S = 3.0
LICHESS_DRAW_OFFER_GAP = 20  # the server ignores an offer within 20 plies of the last

log = structlog.get_logger(__name__)


class Conduct:
    """The manners of one game, with what has been said and done so far."""

    def __init__(self, game_id: str, context: GameContext, is_over: Callable[[], bool]) -> None:
        self._manners = context.settings.conduct
        self._server = context.server
        self._chat = context.chat
        self._my_name = context.my_name
        self._is_over = is_over
        self._game_id = game_id
        self._actions = ActionQueue(game_id)
        self.engine_name = ""
        self.adjudicator = Adjudicator(self._manners.resign, self._manners.draw)
        self._answered_draw: int | None = None  # revision whose draw offer has been answered
        self._answered_takeback: int | None = None
        self._takebacks = 0
        self._answers = 0
        self._offered_ply = -LICHESS_DRAW_OFFER_GAP
        self._next_claim_s = 0.0
        self._abort_asked = False
        self._idle_since_s: float | None = None
        self._greeted = False

    # -- talk ---------------------------------------------------------------------------------------------------

    def greet(self, game: Game) -> None:
        """Say hello once, in a game that has just begun."""
        if not self._greeted and game.ply < 2:
            self._say_both(game, self._manners.chat.greeting, self._manners.chat.spectator_greeting)
        self._greeted = True

    def part(self, game: Game) -> None:
        """Say goodbye after a game that was played."""
        if game.ply >= 2:
            self._say_both(game, self._manners.chat.farewell, self._manners.chat.spectator_farewell)

    def hear(self, game: Game, line: ChatLine) -> None:
        """Answer a command."""
        if not self._manners.chat.answer_commands or self._answers >= MAX_ANSWERS:
            return
        score = self.adjudicator.last_score_cp
        facts = {
            "name": f"I am {self._my_name}, a bot.",
            "engine": f"My engine is {self.engine_name or 'still waking up'}.",
            "eval": "No evaluation yet." if score is None else f"I think I am at {score / 100:+.2f}.",
        }
        answer = answer_to(line, self._my_name, facts)
        if answer:
            self._answers += 1
            self._chat.say(game.game_id, line.room, answer)

    def _say_both(self, game: Game, to_player: str, to_spectators: str) -> None:
        values = {"me": self._my_name, "opponent": game.opponent.label, "engine": self.engine_name}
        for room, text in (("player", to_player), ("spectator", to_spectators)):
            if text and not (room == "player" and game.opponent.is_ai):
                self._chat.say(game.game_id, room, fill(text, values))

    # -- offers of the opponent ---------------------------------------------------------------------------------

    def answer_offers(self, game: Game) -> None:
        """Answer a standing draw or takeback offer, each once."""
        if game.draw_offered and self._answered_draw != game.revision:
            self._answered_draw = game.revision
            accept = self.adjudicator.accepts_draw(game.ply)
            self._run("draw-answer", lambda: self._server.draw(game.game_id, accept), lambda: game.draw_offered)
        if game.takeback_asked and self._answered_takeback != game.revision:
            self._answered_takeback = game.revision
            accept_back = self._takebacks < self._manners.takebacks
            self._takebacks += accept_back
            self._run(
                "takeback-answer",
                lambda: self._server.takeback(game.game_id, accept_back),
                lambda: game.takeback_asked,
            )

    # -- our own ------------------------------------------------------------------------------------------------

    def resigns(self, game: Game) -> bool:
        """Whether to resign instead of moving, by the scores seen."""
        return self.adjudicator.resigns(game.ply)

    def resign(self) -> None:
        """Resign (or abort, while that is possible) until it is done or the game is over."""
        self._run("resign", lambda: self._server.resign(self._game_id), lambda: True)

    def offers_draw(self, game: Game, uci: str) -> bool:
        """Whether the move should carry a draw offer, or claim one."""
        if game.ply < FIRST_DRAW_OFFER_PLY or game.opponent.is_ai:
            return False
        adjudicator = self.adjudicator
        if adjudicator.offers_draw(game.ply) and game.ply - self._offered_ply >= LICHESS_DRAW_OFFER_GAP:
            self._offered_ply = game.ply
            return True
        # an offer sent with the move is how Lichess takes a claim
        return self._manners.claim_draw and adjudicator.claims_draw and game.draw_after(uci)

    def tick(self, game: Game, now_s: float) -> None:
        """What time alone brings: the abort of a game nobody begins, the claim against one who left."""
        due_s = game.claim_at_s if self._manners.claim_victory else None
        if due_s is not None and not game.my_turn and now_s >= max(due_s, self._next_claim_s):
            self._next_claim_s = now_s + CLAIM_AGAIN_S
            self._claim(game)
        if game.abortable and not game.my_turn and not game.is_correspondence:
            self._idle_since_s = self._idle_since_s or game.turn_began_s
            if not self._abort_asked and now_s - self._idle_since_s >= self._manners.abort_after_s:
                self._abort_asked = True
                log.info("aborting_idle_game", game_id=game.game_id)
                self._run("abort", lambda: self._server.abort(game.game_id), lambda: game.abortable)
        else:
            self._idle_since_s = None

    def _claim(self, game: Game) -> None:
        """The win, or the draw where we could not even mate."""
        can_mate = not game.board.has_insufficient_material(game.my_color)
        call = self._server.claim_victory if can_mate else self._server.claim_draw
        log.info("claiming", game_id=game.game_id, what="victory" if can_mate else "draw")
        self._run("claim", lambda: call(game.game_id), lambda: game.claim_at_s is not None and not game.my_turn)

    def close(self) -> None:
        """Drop the actions that still wait."""
        self._actions.close()

    def _run(self, name: str, call: Callable[[], object], wanted: Callable[[], bool]) -> None:
        self._actions.run(Action(name, call, lambda: wanted() and not self._is_over()))
