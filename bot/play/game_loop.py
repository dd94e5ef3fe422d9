"""The actor of one game: stream lines, engine answers and ticks go in under one lock; moves, offers and chat come out.

Whatever thread brings news also acts on it: the reader's thread starts the search, the engine pool's thread hands the
move to the outbox. Nothing done under the lock waits. What is done next follows from the server's state (`_advance`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import chess.engine
import structlog

from bot.engine_pool.values import Answer
from bot.events.account import GameInfo
from bot.events.game import ChatLine, GameEvent, GameExport, GameFull
from bot.play.conduct import Conduct
from bot.play.game import Game, UnplayableGameError
from bot.play.game_context import EndReason, GameContext
from bot.play.game_log import GameLog
from bot.play.game_stream import SILENT, GameReader, StreamWatchdog
from bot.play.move_search import MoveSearch
from bot.play.outbox import Outbox
from bot.play.time_control import time_left_ms
from bot.supervised_loop import start_thread

FINAL_STATE_GRACE_S = 2.0  # the final state usually follows the account's gameFinish by milliseconds
LIST_LAG_S = 5.0  # a list of running games may be this old
QUIET_S, QUIET_SHARE = 15.0, 40  # the opponent's thinking time, or our clock's share, after which the list is asked
MAX_UNREADABLE = 3  # unreadable first lines, each of a reopened stream, before we ask for an abort
RESIGN_S = 15.0

log = structlog.get_logger(__name__)


class GameLoop:
    """One game from its first line to its end. `on_end(loop, reason)` is called once, from a thread of its own."""

    def __init__(self, info: GameInfo, context: GameContext, on_end: Callable[[GameLoop, EndReason], None]) -> None:
        self.game_id = info.game_id
        self.info = info
        self.game: Game | None = None
        self.end_reason: EndReason | None = None
        self._context = context
        self._on_end = on_end
        self._lock = threading.RLock()
        self._resigned_until_s = 0.0  # no search before this: a resignation is under way
        self._unreadable = 0
        self._watchdog = StreamWatchdog(time.monotonic())
        self._end_expected_s: float | None = None  # since when the account's stream says that the game is over
        self._end_certain = False  # ... and the server's export confirms it
        self._end_doubted = False  # the final state has not come: the game's stream was reopened to see it
        self._export_proves_end = False
        self._started = self._closing = False
        self._finished = threading.Event()
        server = context.server
        self._reader = GameReader(
            info.game_id,
            server.stream_game,
            self._on_event,
            self._ask_whether_over,
            context.stream_pacer,
            self._clock_s,
        )
        post = partial(server.post_move, info.game_id)
        self._outbox = Outbox(info.game_id, post, self._reader.reopen, context.lag, context.observers)
        self._game_log = GameLog(info.game_id, context.server_url)
        self._search = MoveSearch(info.game_id, context, self._lock, self._on_answer)
        self._conduct = Conduct(
            info.game_id,
            context,
            is_over=lambda: self.end_reason is not None,
            level=self._search.level,
            refresh=self._reader.refresh,
        )

    @property
    def last_score(self) -> chess.engine.Score | None:
        """The score of our latest move from our side; None where there is none."""
        return self._conduct.last_score

    @property
    def end_proved(self) -> bool:
        """Whether the server showed the final state; else the game may be announced again."""
        return self._export_proves_end or (self.game is not None and self.game.over)

    def _clock_s(self) -> float | None:
        """Return what may be left on our clock. A closed stream may hide that it runs, unless we search."""
        game = self.game
        if self._search.active or (game is not None and game.is_correspondence):
            return None
        if game is None:
            return 0.0
        return max(1, time_left_ms(game, time.monotonic())) / 1000  # a move that arrived unseen has stopped the clock

    def start(self) -> None:
        """Open the stream and play. Where no thread can be started for the moment, the ticks try again."""
        with self._lock:  # a tick may come while the threads are being started
            if self.end_reason is None:  # it may be left before it was started
                self._started = self._started or (self._reader.start() and self._outbox.start())

    def leave(self) -> None:
        """Stop playing without ending the game on the server."""
        with self._lock:
            self._end(EndReason.LEFT)

    def park_if_idle(self, now_s: float) -> None:
        """Leave a correspondence game in which we wait for the opponent, after a while; it is looked at again later."""
        game, settings = self.game, self._context.settings.correspondence
        if game is None or not game.is_correspondence:
            return
        with self._lock:
            busy = game.wants_move or game.claim_at_s is not None or self._outbox.pending
            if not busy and now_s - game.turn_began_s > settings.disconnect_after_s:
                self._end(EndReason.PARKED)

    def join(self, timeout_s: float) -> bool:
        """Wait until everything of the game is closed; False when the time is up first."""
        return self._finished.wait(timeout_s)

    def expect_end(self, *, certain: bool = False) -> None:
        """Stop searching, because the account's stream says that the game is over.

        The game's own stream decides: where the final state does not follow soon, it is reopened. `certain`: the
        server's export confirms it, and the game ends even without its final state.
        """
        with self._lock:
            self._end_certain = self._end_certain or certain
            if self._end_expected_s is None:
                self._end_expected_s, self._end_doubted = time.monotonic(), False
            self._search.cancel()

    def _on_event(self, event: GameEvent | None, now_s: float) -> bool:
        """One line of the stream, None for a keep-alive; False when no more is wanted. Raises UnplayableGameError."""
        with self._lock:
            if self.end_reason is not None:
                return False
            if event is None:
                if self.game is not None:  # a stream that begins with keep-alives is as silent as one without
                    self._watchdog.note_line(now_s)
                return True
            line_before_s = self._watchdog.note_line(now_s)
            if isinstance(event, GameFull) and self._end_doubted and not event.state.is_over:
                log.warning("game_continues", game_id=self.game_id, reason="its stream contradicts the account's")
                self._end_expected_s, self._end_doubted = None, False
            if isinstance(event, GameFull) and self.game is None:
                self._open(event, now_s)
            elif self.game is None:
                return True
            elif isinstance(event, ChatLine):
                self._conduct.chatter.answer(self.game, event)
            elif self.game.contradicts(event):
                self._reader.reopen("moves went back that nobody asked to take back")
            else:  # news of a reopened stream may date from any time since the old one fell silent
                self._fold(self.game, event, now_s, line_before_s if isinstance(event, GameFull) else now_s)
            self._advance(now_s)
            return self.end_reason is None

    def _fold(self, game: Game, event: GameEvent, now_s: float, happened_s: float) -> None:
        """Apply a line. One that does not fit changes nothing and reopens the stream."""
        try:
            revision = game.revision
            game.apply(event, now_s, happened_s)
        except UnplayableGameError as error:
            log.error("line_does_not_fit", game_id=self.game_id, error=str(error))
            raise
        if game.revision != revision:
            self._context.observers.moved(game)

    def _open(self, full: GameFull, now_s: float) -> None:
        seconds_left = self.info.seconds_left if self.info.is_my_turn else None
        try:
            self.game = Game(full, self._context.my_id, now_s, seconds_left=seconds_left)
        except UnplayableGameError as error:
            self._unreadable += 1
            log.error("game_unreadable", game_id=self.game_id, times=self._unreadable, error=str(error))
            if self._unreadable >= MAX_UNREADABLE:
                self._conduct.abort_unplayable()
            raise
        self._game_log.opened(self.game)
        if not self.game.over:
            self._search.open(self.game)

    def _on_answer(self, answer: Answer) -> None:
        """The search has ended; called with the lock held, and only about the present position."""
        if (game := self.game) is None or self.end_reason is not None:
            return
        uci = answer.move and game.names_move(answer.move.uci())
        if uci:
            self._search.note_success()
        else:
            move = self._search.note_failure(game, answer, time.monotonic())
            if move is None:
                return  # the next ticks ask again
            uci = game.board.uci(move)
            log.error("fallback_move", game_id=self.game_id, ply=game.ply, move=uci)
        self._conduct.note_move(game, uci, answer)
        if self._conduct.resigns(game):  # search no more until that should be known; refused, the game is played on
            self._resigned_until_s = time.monotonic() + RESIGN_S
            self._conduct.resign()
            return
        self._outbox.send(game, uci, offering_draw=self._conduct.offers_draw(game, uci))
        self._game_log.move_sent(game, uci, answer)

    def _ask_whether_over(self) -> None:
        """Have the server asked whether the game still runs: its stream ends without any news."""
        self._context.look_up(self.game_id, self._on_export, is_wanted=lambda: self.end_reason is None)

    def _on_export(self, export: GameExport) -> None:
        if export.is_over:
            self._export_proves_end = export.proves_end
            self._on_gone()

    def _on_gone(self) -> None:
        with self._lock:
            log.warning("game_vanished", game_id=self.game_id)
            self._end(EndReason.OVER)

    def compare(self, info: GameInfo, now_s: float) -> None:
        """Reopen the stream if the list of running games contradicts it, and not only because the list lags."""
        with self._lock:
            game = self.game
            if game is None or game.over or self._outbox.pending or now_s - game.turn_began_s < LIST_LAG_S:
                return
            if info.is_my_turn != game.my_turn:
                self._reader.reopen("the list of running games contradicts it")

    def is_quiet(self, now_s: float) -> bool:
        """Return whether the opponent has thought for so long that the list of running games is worth a request."""
        game = self.game
        if game is None or game.over or game.my_turn or game.is_correspondence:
            return False
        return now_s - game.turn_began_s > max(QUIET_S, game.my_clock_ms / 1000 / QUIET_SHARE)

    def tick(self, now_s: float) -> None:
        """Do what is due by time alone; called every quarter of a second or so."""
        with self._lock:
            if self.end_reason is not None:
                self._start_closing()
                return
            self.start()
            self._outbox.tick(now_s)
            if self._end_expected_s is not None and now_s - self._end_expected_s > FINAL_STATE_GRACE_S:
                self._end_or_doubt()
            if self.end_reason is None and self.game is not None:
                self._conduct.tick(self.game, now_s)
                self._advance(now_s)
            if self._watchdog.stale(now_s, opened=self.game is not None, pausing=self._reader.pausing):
                self._reader.reopen(SILENT)

    def _end_or_doubt(self) -> None:
        if self._end_certain:
            self._end(EndReason.OVER)
        elif not self._end_doubted:
            self._end_doubted = True
            self._outbox.withdraw()  # a game that continues shows whether the move arrived
            self._reader.reopen("the account's stream says that the game is over, and its own does not")

    def _advance(self, now_s: float) -> None:
        if (game := self.game) is None:
            return
        if game.over:
            self._end(EndReason.OVER)
            return
        lag_ms = self._outbox.settle(game)
        self._conduct.chatter.greet(game, now_s)
        self._search.follow(game)
        ending = now_s < self._resigned_until_s or self._end_expected_s is not None
        if self._conduct.offers.answer(game, now_s, moving=self._outbox.pending):
            self._search.cancel()  # for a position that is about to be taken back
        elif not self._outbox.pending and not ending and game.wants_move:
            self._search.start(game, now_s)
        self._game_log.state_came(game, lag_ms)

    def _end(self, reason: EndReason) -> None:
        if self.end_reason is not None:
            return
        self.end_reason = reason
        self._search.cancel()
        self._outbox.close()  # at once: nothing is posted after the end
        self._start_closing()

    def _start_closing(self) -> None:
        """Close everything in a thread of its own, as soon as one can be started; `tick` tries again."""
        self._closing = self._closing or start_thread("end", self.game_id, self._close)

    def _close(self) -> None:
        """Close each part, whatever the others do: a fault must keep neither the engine nor the slot of the game."""
        # no lock: nothing asks the engine after the end
        for close in (self._conduct.close, self._reader.stop, self._search.release_engine, self._report_end):
            try:
                close()
            except Exception:
                log.exception("game_close_fault", game_id=self.game_id)
        try:
            self._on_end(self, self.end_reason or EndReason.OVER)
        finally:
            self._finished.set()

    def _report_end(self) -> None:
        if (game := self.game) is not None and self.end_reason is EndReason.OVER:
            self._game_log.over(game)
            self._conduct.chatter.end(game)
