"""The opponent's offers: a draw or a takeback, each answered once for a position."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.lichess.server import Server
from bot.play.conduct.adjudication import conduct_for
from bot.play.game import Game
from bot.settings import ConductSettings

Run = Callable[..., bool]  # (name, call, wanted, once=, told=)

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
        run: Run,
        accepts_draw: Callable[[Game], bool],
        refresh: Callable[[float], bool],
    ) -> None:
        """Start with nothing answered."""
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
        if (
            awaited
            and now_s >= self._ask_state_s
            and self._run("takeback-state", self._ask_state, lambda: game.takeback_asked and game.revision == revision)
        ):
            self._ask_state_s = self.awaited_until_s
        return awaited

    def _ask_state(self) -> None:
        self._refresh(TAKEBACK_S)

    def _answer_draw(self, game: Game) -> None:
        revision, accept = game.revision, self._accepts_draw(game)
        queued = self._run(
            "draw-answer",
            lambda: self._server.draw(game.game_id, accept),
            lambda: game.draw_offered and game.revision == revision,
            once=True,
            told=_told(accept),
        )
        if queued:
            self._answered_draw = revision

    def _answer_takeback(self, game: Game, now_s: float) -> None:
        revision, accept = game.revision, self._agreed_takebacks < conduct_for(self._settings, game).takebacks
        queued = self._run(
            "takeback-answer",
            partial(self._send_takeback_answer, game.game_id, accept),
            lambda: game.takeback_asked and game.revision == revision,
            once=True,
            told=_told(accept),
        )
        if queued:
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


def _told(accept: bool) -> str:
    return "agreed" if accept else "declined"
