"""Commands asked when a game is over: its stream has ended then, so the players' room is read now and again."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import structlog

from bot.errors import LichessError
from bot.events import ChatLine
from bot.play.game import Game
from bot.play.observer import EndedGame, GameChat, GameObserver
from bot.supervised_loop import SupervisedLoop

READ_EVERY_S = 10.0
MOST_GAMES = 20  # read at once; the server's patience belongs to the games that run

log = structlog.get_logger(__name__)


@dataclass
class WatchedGame:
    """A game whose chat is read; `known`: how often each line of it has been seen."""

    chat: GameChat
    game: Game
    until_s: float
    known: Counter[tuple[str, str]] = field(default_factory=Counter)


class AfterGameChat(GameObserver):
    """One thread for all games. `read(game_id)` gives the lines of the players' room and raises LichessError."""

    def __init__(self, read: Callable[[str], Iterable[ChatLine]], every_s: float = READ_EVERY_S) -> None:
        self._read = read
        self._every_s = every_s
        self._lock = threading.Lock()
        self._games: list[WatchedGame] = []
        self._loop = SupervisedLoop("after-game-chat", self._work)

    def ended(self, ended: EndedGame) -> None:
        """Answer commands in a game that has just ended, for a while; the newest games replace the oldest."""
        game, chat = ended.game, ended.chat
        for_s = 0.0 if game is None or chat is None else chat.after_game_s(game)
        if game is None or chat is None or not for_s:
            return
        known = Counter((line.username.lower(), line.text) for line in chat.heard)
        with self._lock:
            self._games.append(WatchedGame(chat, game, time.monotonic() + for_s, known))
            del self._games[:-MOST_GAMES]
        self._loop.start()

    def close(self) -> None:
        """Read no more."""
        self._loop.stop()

    def _work(self) -> None:
        while not self._loop.wait(self._every_s):
            for one in list(self._games):
                self._look(one)
            now = time.monotonic()
            with self._lock:
                self._games = [one for one in self._games if one.until_s > now]

    def _look(self, one: WatchedGame) -> None:
        """Answer the lines of one game that are new."""
        try:
            lines = list(self._read(one.chat.game_id))
        except LichessError as error:
            log.info("chat_not_read", game_id=one.chat.game_id, error=str(error))
            return
        seen: Counter[tuple[str, str]] = Counter()
        for line in lines:
            key = (line.username.lower(), line.text)
            seen[key] += 1
            if seen[key] > one.known[key]:
                one.known[key] += 1
                one.chat.answer(one.game, line)
