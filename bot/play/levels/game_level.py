"""The level of one game: chosen by rule or by the opponent, set by the engine pool, told in the chat."""

from __future__ import annotations

from typing import Protocol

import structlog

from bot.play.game import Game
from bot.play.levels.memory import LevelMemory
from bot.play.levels.rules import Wish, decide, level_by_rule, may_ask
from bot.settings import Settings

NO_LEVELS = "My engine has no levels; I play at full strength."

log = structlog.get_logger(__name__)


class ServingEngine(Protocol):
    """The engine of a game, as far as its level goes."""

    @property
    def name(self) -> str:
        """What it calls itself; empty while no process serves the game."""

    @property
    def elo(self) -> int | None:
        """The strength that it is limited to, None for all it has."""


class GameLevel:
    """Called under the game's lock; an Elo of None is full strength."""

    def __init__(self, settings: Settings, memory: LevelMemory) -> None:
        self.elo: int | None = None  # what is wanted
        self._settings = settings
        self._memory = memory
        self._untold = False  # the opponent is still to be told
        self._engine: ServingEngine | None = None

    def open(self, game: Game) -> None:
        """Choose the level that the game begins with: what the opponent asked for lately, else what a rule says."""
        rules = self._settings.conduct.levels
        self.elo = level_by_rule(self._settings, game)
        asked = self._memory.recall(game.opponent.id) if may_ask(rules, game) is None else None
        if asked is not None:
            self.elo = asked.elo
        self._untold = self.elo is not None and game.ply < 2

    def served_by(self, engine: ServingEngine | None) -> None:
        """Note which engine plays the game from now on."""
        self._engine = engine

    def ask(self, game: Game, word: str) -> str:
        """Answer an opponent's wish; "" where the answer follows when the engine has been set."""
        decision = decide(self._settings.conduct.levels, game, word)
        if decision.wish in (Wish.NOW, Wish.NEXT):
            self._memory.remember(game.opponent.id, decision.elo)
        if decision.wish is Wish.NOW:
            log.info("level_asked", game_id=game.game_id, elo=decision.elo)
            self.elo, self._untold = decision.elo, True
            return ""
        return {
            Wish.NEXT: f"In our next game I will play at {_words(decision.elo)}, if it is casual."
            if self._settings.conduct.levels.modes == ("casual",)
            else f"In our next game I will play at {_words(decision.elo)}.",
            Wish.NOT_BY_CHAT: "I take no wishes about my level.",
            Wish.WRONG_MODE: f"The level of a {'rated' if game.full.rated else 'casual'} game stays as it is.",
            Wish.UNKNOWN: f"I know no such level. Try a number such as !level 1600, full, {self._names()}.",
        }[decision.wish]

    def text(self, game: Game) -> str:
        """Tell the level, and how to choose another."""
        engine = self._engine
        current = f"I play at {_words(engine.elo if engine is not None else None)}."
        if may_ask(self._settings.conduct.levels, game) is not None:
            return current
        return f"{current} Before your first move, or for a rematch: !level 1600, full, {self._names()}."

    def news(self) -> str:
        """What the opponent is to be told now that the engine has been set; "" for nothing, or not yet."""
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
