"""Sends the chat of all games, and reads the chat of games that have just ended. Has threads of its own."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import structlog

from bot.errors import LichessError
from bot.events.game import ChatLine
from bot.lichess.server import Server
from bot.supervised_loop import SupervisedLoop

READ_EVERY_S = 10.0  # the stream of a game ends with it
EASY_GAMES = 5  # more are read less often: the server's patience belongs to the games that run
MOST_GAMES = 20  # read at once
CHAT_BACKLOG = 50
CHAT_MAX_AGE_S = 30.0  # older lines are dropped: a greeting makes no sense in mid-game

ChatLines = Callable[[], Iterable[str]]  # makes the lines on the chat's thread, and may take its time

log = structlog.get_logger(__name__)


class ChatQueue:
    """Sends the chat of all games with one attempt per line; drops lines if the backlog is long or they are old."""

    def __init__(self, server: Server, read_every_s: float = READ_EVERY_S) -> None:
        self._server = server
        self.after_game = AfterGameChat(server, read_every_s)
        self._queue: queue.Queue[tuple[float, str, str, str | ChatLines] | None] = queue.Queue(CHAT_BACKLOG)
        self._loop = SupervisedLoop("chat", self._work)
        self._loop.ensure_started()

    def say(self, game_id: str, room: str, text: str | ChatLines) -> bool:
        """Queue a line, or a function that makes lines when their turn comes; False if it was dropped."""
        try:
            self._queue.put_nowait((time.monotonic(), game_id, room, text))
        except queue.Full:
            log.info("chat_dropped", game_id=game_id)
            return False
        return True

    def close(self) -> None:
        """End the thread after the queued lines, without waiting for it; read no more."""
        self.after_game.close()
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            log.info("chat_backlog_dropped")

    def _work(self) -> None:
        while (line := self._queue.get()) is not None:
            queued_s, game_id, room, text = line
            if time.monotonic() - queued_s > CHAT_MAX_AGE_S:
                continue
            try:
                for one in [text] if isinstance(text, str) else text():
                    self._server.chat(game_id, room, one)
            except LichessError as error:
                log.info("chat_not_sent", game_id=game_id, room=room, error=str(error))


@dataclass
class WatchedGame:
    """A game whose chat is read; `known`: how often each line of it has been seen."""

    game_id: str
    answer: Callable[[ChatLine], None]
    until_s: float
    known: Counter[tuple[str, str]]


class AfterGameChat:
    """Reads the players' rooms of all games that have just ended, now and again, on one thread."""

    def __init__(self, server: Server, every_s: float) -> None:
        self._server = server
        self._every_s = every_s
        self._lock = threading.Lock()
        self._games: list[WatchedGame] = []
        self._loop = SupervisedLoop("after-game-chat", self._work)

    def watch(
        self, game_id: str, answer: Callable[[ChatLine], None], for_s: float, heard: Iterable[ChatLine] = ()
    ) -> None:
        """Call `answer` for each new line for a while; the newest games replace the oldest. `heard`: known lines."""
        known = Counter((line.username.lower(), line.text) for line in heard)
        with self._lock:
            games = [*self._games, WatchedGame(game_id, answer, time.monotonic() + for_s, known)]
            self._games = games[-MOST_GAMES:]
        self._loop.start()

    def close(self) -> None:
        """Read no more."""
        self._loop.stop()

    def _work(self) -> None:
        while not self._loop.wait(self._every_s * max(1.0, len(self._games) / EASY_GAMES)):
            for one in list(self._games):
                if self._loop.stopped:
                    return
                self._look(one)
            now = time.monotonic()
            with self._lock:
                self._games = [one for one in self._games if one.until_s > now]

    def _look(self, one: WatchedGame) -> None:
        """Answer the lines of one game that are new."""
        try:
            lines = list(self._server.read_chat(one.game_id))
        except LichessError as error:
            log.info("chat_not_read", game_id=one.game_id, error=str(error))
            return
        seen: Counter[tuple[str, str]] = Counter()
        for line in lines:
            key = (line.username.lower(), line.text)
            seen[key] += 1
            if seen[key] > one.known[key]:
                one.known[key] += 1
                one.answer(line)
