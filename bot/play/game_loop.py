"""The actor of one game: stream lines, engine answers and ticks go in under one lock; moves, offers and chat come out.

Whatever thread brings news also acts on it, so a line costs no hop on its way to the engine: the reader's thread starts
the search, the engine pool's thread hands the move to the outbox. Nothing done under the lock waits for anybody.
What is done next follows from the server's state alone (`_advance`); nothing is remembered as "handled".
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.engine_pool import Answer
from bot.events import ChatLine, GameEvent, GameFull, GameInfo
from bot.play.conduct import Conduct
from bot.play.game import Game, UnplayableGameError
from bot.play.game_context import Ending, GameContext
from bot.play.game_stream import GameReader
from bot.play.move_search import MoveSearch
from bot.play.outbox import Outbox
from bot.play.posted_move import Mail
from bot.play.stream_watchdog import StreamWatchdog
from bot.play.thinking import Thinking

TOLD_OVER_GRACE_S = 2.0  # the final state usually follows the account's gameFinish by milliseconds

BAD_LINES = 3  # impossible states in a row, each from a stream opened anew
RESIGN_S = 15.0

log = structlog.get_logger(__name__)


class GameLoop:
    """One game from its first line to its end. `on_end(loop, ending)` is called once, from a thread of its own."""

    def __init__(self, info: GameInfo, context: GameContext, on_end: Callable[[GameLoop, Ending], None]) -> None:
        self.game_id = info.game_id
        self.info = info
        self.game: Game | None = None
        self.ending: Ending | None = None
        self._context = context
        self._on_end = on_end
        self._lock = threading.RLock()
        self._resigned_until_s = 0.0  # no thought before this: a resignation is under way
        self._bad_lines = 0
        self._watchdog = StreamWatchdog(time.monotonic())
        self._told_over_s: float | None = None
        self._finished = threading.Event()
        self._move_search = MoveSearch(info.game_id, context, self._answered)
        self._mail = Mail(Outbox(info.game_id, self._post, self._doubt, context.lag.saw_round_trip), context.lag)
        self.conduct = Conduct(info.game_id, context, lambda: self.ending is not None)
        self._reader = GameReader(
            info.game_id, context.server.stream_game, self._hear, context.is_ongoing, self._vanished
        )

    # -- life ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Open the stream and play."""
        self._reader.start()

    def leave(self) -> None:
        """Stop playing without ending the game on the server."""
        with self._lock:
            self._end(Ending.LEFT)

    def park_if_idle(self, now_s: float) -> None:
        """Leave a correspondence game in which we wait for the opponent, after a while; it is looked at again later."""
        game, settings = self.game, self._context.settings.correspondence
        if game is None or not game.is_correspondence:
            return
        with self._lock:
            busy = game.wants_move or game.claim_at_s is not None or self._mail.under_way
            if not busy and now_s - game.turn_began_s > settings.disconnect_after_s:
                self._end(Ending.PARKED)

    def join(self, timeout_s: float) -> bool:
        """Wait until everything of the game is closed; False when the time is up first."""
        return self._finished.wait(timeout_s)

    def told_over(self, info: GameInfo) -> None:
        """The account's stream says that the game has finished: stop thinking, await the final state for a moment."""
        with self._lock:
            self.info = info if info.status else self.info
            self._told_over_s = self._told_over_s or time.monotonic()
            self._move_search.drop()

    # -- news in ------------------------------------------------------------------------------------------------

    def _hear(self, event: GameEvent | None, now_s: float) -> bool:
        """One line of the stream, None for a keep-alive; False when no more is wanted. Raises UnplayableGameError."""
        with self._lock:
            if self.ending is not None:
                return False
            heard_s = self._watchdog.heard(now_s, news=event is not None)
            if event is None:
                return True
            if isinstance(event, GameFull) and self.game is None:
                self._open(event, now_s)
            elif self.game is None:
                return True
            elif isinstance(event, ChatLine):
                self.conduct.hear(self.game, event)
            elif self.game.contradicts(event):
                self._doubt("moves went back that nobody asked to take back")
            else:
                # what a reopened stream tells may have happened any time since the old one fell silent
                self._fold(self.game, event, heard_s if isinstance(event, GameFull) else now_s)
            self._advance(now_s)
            return self.ending is None

    def _fold(self, game: Game, event: GameEvent, now_s: float) -> None:
        try:
            game.apply(event, now_s)
        except UnplayableGameError as error:
            self._bad_line(error)
            raise
        self._bad_lines = 0

    def _bad_line(self, error: UnplayableGameError) -> None:
        """The stream is opened anew, for the line may have been damaged; a game that stays so cannot be played."""
        self._bad_lines += 1
        if self._bad_lines >= BAD_LINES:
            self._resign(str(error))

    def _open(self, full: GameFull, now_s: float) -> None:
        hint = self.info.seconds_left if self.info.is_my_turn else None
        try:
            self.game = Game(full, self._context.my_id, now_s, seconds_left=hint)
        except UnplayableGameError as error:
            self._bad_line(error)
            raise
        log.info(
            "game_opened", game_id=self.game_id, opponent=self.game.opponent.label, speed=full.speed, ply=self.game.ply
        )
        if not self.game.over:
            self.conduct.greet(self.game)
            self._move_search.lend(self.game)

    def _answered(self, thinking: Thinking, answer: Answer) -> None:
        with self._lock:
            game = self.game
            if not self._move_search.finish(thinking) or game is None or self.ending is not None:
                return  # the position it was about is gone
            uci = answer.move and game.names_move(answer.move.uci())
            if not uci:
                if self._move_search.failed(answer):
                    self._resign(f"no legal move from the engine: {answer.error or answer.move}")
                return
            self._move_search.succeeded()
            self.conduct.adjudicator.saw(answer.info.centipawns())
            if self.conduct.resigns(game):
                self._resign("the scores are hopeless")
                return
            self._mail.send(game, uci, self.conduct.offers_draw(game, uci))
        log.debug("move_chosen", game_id=self.game_id, ply=game.ply, move=uci, engine=answer.engine)

    def tick(self, now_s: float) -> None:
        """Called every quarter of a second or so: what time alone brings."""
        with self._lock:
            if self.ending is not None:
                return
            self._mail.outbox.tick(now_s)
            if self._told_over_s is not None and now_s - self._told_over_s > TOLD_OVER_GRACE_S:
                self._end(Ending.OVER)
            elif self.game is not None:
                self.conduct.tick(self.game, now_s)
                self._advance(now_s)
            if self._watchdog.stale(now_s, self.game):
                self._doubt("no news for a while")

    # -- what follows from the state ------------------------------------------------------------------------------

    def _advance(self, now_s: float) -> None:
        game = self.game
        if game is None:
            return
        if game.over:
            self._end(Ending.OVER)
            return
        self._mail.settle(game)
        self.conduct.answer_offers(game)
        self._move_search.keep(game.revision)
        resigned = now_s < self._resigned_until_s or self._told_over_s is not None
        if not self._mail.under_way and not resigned and game.wants_move:
            self._move_search.think(game, now_s)

    def _resign(self, reason: str) -> None:
        """Resign, and think no more until that should have been heard; where it is refused the game is played on."""
        if self.ending is None:
            log.error("resigning", game_id=self.game_id, reason=reason)
            self._resigned_until_s = time.monotonic() + RESIGN_S
            self.conduct.resign()

    # -- out ----------------------------------------------------------------------------------------------------

    def _post(self, uci: str, offering_draw: bool) -> None:
        self._context.server.post_move(self.game_id, uci, offering_draw, timeout_s=5.0)

    def _doubt(self, why: str = "it does not show our move") -> None:
        log.info("game_stream_doubted", game_id=self.game_id, why=why)
        self._reader.reopen()

    def _vanished(self) -> None:
        with self._lock:
            log.warning("game_vanished", game_id=self.game_id)
            self._end(Ending.OVER)

    def _end(self, ending: Ending) -> None:
        if self.ending is not None:
            return
        self.ending = ending
        self._move_search.drop()
        threading.Thread(target=self._close, name=f"end-{self.game_id}", daemon=True).start()

    def _close(self) -> None:
        self._mail.outbox.close()
        self.conduct.close()
        self._reader.stop()
        self._move_search.give_back()
        if self.game is not None and self.ending is Ending.OVER:
            self.conduct.part(self.game)
            log.info("game_over", game_id=self.game_id, status=self.game.state.status, result=self.game.result)
        try:
            self._on_end(self, self.ending or Ending.OVER)
        finally:
            self._finished.set()
