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

from bot.conduct import Conduct
from bot.engine_pool import Answer, IllegalMove
from bot.engine_rules import requirement_for
from bot.errors import BotError
from bot.events import ChatLine, GameEvent, GameFull, GameInfo
from bot.freshness import Freshness
from bot.game import Game
from bot.game_stream import GameReader
from bot.house import Ending, Engine, House
from bot.outbox import Outbox
from bot.sent_move import Mail
from bot.thinking import Thinking
from bot.time_control import limit_for

TOLD_OVER_GRACE_S = 2.0  # the final state usually follows the account's gameFinish by milliseconds
ASK_AGAIN_S = 1.0  # after the pool could not get any engine to answer
ASK_AGAIN_TIMES = 10  # then the game is resigned: nobody will move in it

log = structlog.get_logger(__name__)


class GameLoop:
    """One game from its first line to its end. `on_end(loop, ending)` is called once, from a thread of its own."""

    def __init__(self, info: GameInfo, house: House, on_end: Callable[[GameLoop, Ending], None]) -> None:
        self.game_id = info.game_id
        self.info = info
        self.game: Game | None = None
        self.ending: Ending | None = None
        self._house = house
        self._on_end = on_end
        self._lock = threading.RLock()
        self._engine: Engine | None = None
        self._thinking: Thinking | None = None
        self._resigning = False
        self._unanswered = 0  # times in a row that the pool gave no move
        self._ask_again_s = 0.0
        self._freshness = Freshness(time.monotonic())
        self._told_over_s: float | None = None
        self._finished = threading.Event()
        self._mail = Mail(Outbox(info.game_id, self._post, self._doubt, house.lag.saw_round_trip), house.lag)
        self.conduct = Conduct(info.game_id, house, lambda: self.ending is not None)
        self._reader = GameReader(info.game_id, house.server.stream_game, self._hear, house.is_ongoing, self._vanished)

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
        game, settings = self.game, self._house.settings.correspondence
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
            self._drop_thinking()

    # -- news in ------------------------------------------------------------------------------------------------

    def _hear(self, event: GameEvent | None, now_s: float) -> bool:
        with self._lock:
            if self.ending is not None:
                return False
            heard_s = self._freshness.heard(now_s, news=event is not None)
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
                self.game.apply(event, heard_s if isinstance(event, GameFull) else now_s)
            self._advance(now_s)
            return self.ending is None

    def _open(self, full: GameFull, now_s: float) -> None:
        hint = self.info.seconds_left if self.info.is_my_turn else None
        self.game = Game(full, self._house.my_id, now_s, seconds_left=hint)
        log.info(
            "game_opened", game_id=self.game_id, opponent=self.game.opponent.label, speed=full.speed, ply=self.game.ply
        )
        if not self.game.over:
            self.conduct.greet(self.game)
            self._lend(self.game)

    def _lend(self, game: Game) -> None:
        """Get the right to an engine; a pool that refuses is asked again with the next line or tick."""
        try:
            self._engine = self._house.lend(requirement_for(self._house.settings, game))
        except BotError as error:
            log.error("no_engine", game_id=self.game_id, error=str(error))

    def _answered(self, thinking: Thinking, answer: Answer) -> None:
        with self._lock:
            game = self.game
            if thinking is not self._thinking or game is None or self.ending is not None:
                return  # the position it was about is gone
            self._thinking = None
            uci = answer.move and game.names_move(answer.move.uci())
            if not uci:
                self._no_move(answer)
                return
            self._unanswered = 0
            self.conduct.adjudicator.saw(answer.info.centipawns())
            if self.conduct.resigns(game):
                self._resign("the scores are hopeless")
                return
            self._mail.send(game, uci, self.conduct.offers_draw(game, uci))
        log.debug("move_chosen", game_id=self.game_id, ply=game.ply, move=uci, engine=answer.engine)

    def _no_move(self, answer: Answer) -> None:
        """The pool has tried all it can. Two illegal moves end the game; anything else may pass, so ask again soon."""
        self._unanswered += 1
        log.error("no_move", game_id=self.game_id, error=str(answer.error), attempt=self._unanswered)
        if isinstance(answer.error, IllegalMove) or self._unanswered > ASK_AGAIN_TIMES:
            self._resign(f"no legal move from the engine: {answer.error or answer.move}")
        else:
            self._ask_again_s = time.monotonic() + ASK_AGAIN_S

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
            if self._freshness.stale(now_s, self.game):
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
        if self._thinking is not None and self._thinking.revision != game.revision:
            self._drop_thinking()
        idle = self._thinking is None and not self._mail.under_way and not self._resigning and self._told_over_s is None
        if idle and now_s >= self._ask_again_s and game.wants_move:
            if self._engine is None:
                self._lend(game)
            if self._engine is not None:
                self._think(game, self._engine, now_s)

    def _think(self, game: Game, engine: Engine, now_s: float) -> None:
        house = self._house
        limit = limit_for(game, now_s, house.overhead_ms, house.settings)
        thinking = Thinking(game.revision, self._answered)
        self._thinking = thinking
        settings = house.settings
        ponder = settings.correspondence.ponder if game.is_correspondence else settings.clock.ponder
        thinking.begin(engine, game.board, limit, ponder=ponder, source=house.source_for(game, limit))

    def _resign(self, reason: str) -> None:
        if self.game is not None and not self._resigning and self.ending is None:
            log.error("resigning", game_id=self.game_id, reason=reason)
            self._resigning = True
            self.conduct.resign(self.game)

    # -- out ----------------------------------------------------------------------------------------------------

    def _post(self, uci: str, offering_draw: bool) -> None:
        self._house.server.post_move(self.game_id, uci, offering_draw, timeout_s=5.0)

    def _doubt(self, why: str = "it does not show our move") -> None:
        log.info("game_stream_doubted", game_id=self.game_id, why=why)
        self._reader.reopen()

    def _vanished(self) -> None:
        with self._lock:
            log.warning("game_vanished", game_id=self.game_id)
            self._end(Ending.OVER)

    def _drop_thinking(self) -> None:
        thinking, self._thinking = self._thinking, None
        if thinking is not None:
            thinking.stop()

    def _end(self, ending: Ending) -> None:
        if self.ending is not None:
            return
        self.ending = ending
        self._drop_thinking()
        threading.Thread(target=self._close, name=f"end-{self.game_id}", daemon=True).start()

    def _close(self) -> None:
        self._mail.outbox.close()
        self.conduct.close()
        self._reader.stop()
        if self._engine is not None:
            self._engine.give_back()
        if self.game is not None and self.ending is Ending.OVER:
            self.conduct.part(self.game)
            log.info("game_over", game_id=self.game_id, status=self.game.state.status, result=self.game.result)
        self._on_end(self, self.ending or Ending.OVER)
        self._finished.set()
