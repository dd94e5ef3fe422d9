"""The level of one game: chosen by rule or by the opponent, set by the engine pool, announced in the chat."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.engine_pool.engine_lease import EngineLease
from bot.play.game import ABORTABLE_PLIES, Game
from bot.settings import FULL_STRENGTH, MAX_LEVEL, MIN_LEVEL, OPPONENT, LevelSettings, Settings

log = structlog.get_logger(__name__)


def level_by_rule(settings: Settings, game: Game) -> int | None:
    """Return the level of the engine rule that fits the game."""
    level = settings.rule_for(game.facts).level
    if level == OPPONENT:
        rating = game.opponent.rating
        return None if rating is None else min(MAX_LEVEL, max(MIN_LEVEL, rating))
    return settings.conduct.levels.names.get(level) if isinstance(level, str) else level


def refusal(settings: LevelSettings, game: Game) -> str:
    """Return why a level may not be chosen by chat in this game, "" where it may."""
    if not settings.by_chat or game.opponent.kind != "human" or game.full.tournament_id:
        return "I take no wishes about my level."  # a level in a tournament would be unfair to all others
    return "The level of a rated game stays as it is." if game.full.rated else ""


def elo_of(settings: LevelSettings, word: str) -> int | None:
    """Return the level that a number, a name or "full" means. Raises ValueError for any other word."""
    word = word.lower()
    if word == FULL_STRENGTH:
        return None
    if word in settings.names:
        return settings.names[word]
    if word.isascii() and word.isdigit() and len(word) <= len(str(MAX_LEVEL)) and MIN_LEVEL <= int(word) <= MAX_LEVEL:
        return int(word)
    raise ValueError(f"{word!r} is not a level: give {MIN_LEVEL} to {MAX_LEVEL}, full, {', '.join(settings.names)}")


MOST_USERS = 1000
REMEMBER_S = 3600.0  # how long a level holds for further games, counted from the latest game


@dataclass(frozen=True, slots=True)
class AskedLevel:
    """A level that a user asked for; `elo` None is full strength."""

    elo: int | None
    asked_s: float


class LevelMemory:
    """The latest wish of each user; all games share it. `now_s` gives monotonic seconds."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._asked: OrderedDict[str, AskedLevel] = OrderedDict()

    def remember(self, user_id: str, elo: int | None) -> None:
        """Remember a wish; the oldest are dropped."""
        if not user_id:
            return
        with self._lock:
            self._asked[user_id] = AskedLevel(elo, self._now_s())
            self._asked.move_to_end(user_id)
            while len(self._asked) > MOST_USERS:
                self._asked.popitem(last=False)

    def recall(self, user_id: str) -> AskedLevel | None:
        """Return the level that a user asked for within REMEMBER_S, and keep it as long again."""
        with self._lock:
            asked = self._asked.get(user_id)
            if asked is None or self._now_s() - asked.asked_s > REMEMBER_S:
                return None
            self._asked[user_id] = AskedLevel(asked.elo, self._now_s())
            return asked


NO_LEVELS = "My engine has no levels; I play at full strength."


class GameLevel:
    """Called under the game's lock; an Elo of None is full strength."""

    def __init__(self, settings: Settings, memory: LevelMemory) -> None:
        self.elo: int | None = None  # what is wanted
        self._settings = settings
        self._memory = memory
        self._untold = False  # the opponent has not been informed yet
        self._engine: EngineLease | None = None

    def open(self, game: Game) -> None:
        """Choose the level that the game begins with: what the opponent asked for lately, else what a rule says."""
        rules = self._settings.conduct.levels
        self.elo = level_by_rule(self._settings, game)
        asked = None if refusal(rules, game) else self._memory.recall(game.opponent.id)
        if asked is not None:
            self.elo = asked.elo
        self._untold = self.elo is not None and game.ply < 2

    def served_by(self, engine: EngineLease | None) -> None:
        """Note which engine plays the game from now on."""
        self._engine = engine

    @property
    def engine_name(self) -> str:
        """What the engine calls itself; empty until it is known."""
        return self._engine.name if self._engine is not None else ""

    def ask(self, game: Game, word: str) -> str:
        """Answer an opponent's wish; "" where the answer follows when the engine has been set."""
        rules = self._settings.conduct.levels
        if refused := refusal(rules, game):
            return refused
        try:
            elo = elo_of(rules, word)
        except ValueError:
            return f"I know no such level. Try a number such as !level 1600, full, {self._names()}."
        self._memory.remember(game.opponent.id, elo)
        if game.over or game.ply >= ABORTABLE_PLIES:
            return f"In our next game I will play at {_words(elo)}, if it is casual."
        log.info("level_asked", game_id=game.game_id, elo=elo)
        self.elo, self._untold = elo, True
        return ""

    def text(self, game: Game) -> str:
        """Return the level, and how to choose another."""
        engine = self._engine
        current = f"I play at {_words(engine.elo if engine is not None else None)}."
        if refusal(self._settings.conduct.levels, game):
            return current
        return f"{current} Before your first move, or for a rematch: !level 1600, full, {self._names()}."

    def news(self) -> str:
        """Return the message about a level that the engine has been set to; "" for none."""
        engine = self._engine
        if not self._untold or engine is None or not engine.name:
            return ""
        self._untold = False
        if self.elo is not None and engine.elo is None:
            log.warning("engine_without_levels", engine=engine.name, elo=self.elo)
            return NO_LEVELS
        nearest = " (the nearest that I can)" if self.elo is not None and engine.elo != self.elo else ""
        return f"I play this game at {_words(engine.elo)}{nearest}."

    def _names(self) -> str:
        return ", ".join(self._settings.conduct.levels.names)


def _words(elo: int | None) -> str:
    return "full strength" if elo is None else f"about {elo}"
