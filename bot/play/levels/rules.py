"""Which level a game is played at, and who may ask for another. Pure; an Elo of None is full strength."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.play.engine_rules import opponent_kind, rule_for
from bot.play.game import ABORTABLE_PLIES, Game
from bot.settings import FULL_STRENGTH, MAX_LEVEL, MIN_LEVEL, OPPONENT, LevelSettings, Settings


class Wish(Enum):
    """What becomes of a wish for a level."""

    NOW = "now"
    NEXT = "next game"  # this one has begun, or is over
    NOT_BY_CHAT = "not by chat"
    WRONG_MODE = "wrong mode"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a wish, and the level wished for."""

    wish: Wish
    elo: int | None = None


def level_by_rule(settings: Settings, game: Game) -> int | None:
    """Return the level of the engine rule that fits the game."""
    level = rule_for(settings.rules, game).level
    if level == OPPONENT:
        rating = game.opponent.rating
        return None if rating is None else min(MAX_LEVEL, max(MIN_LEVEL, rating))
    return settings.conduct.levels.names.get(level) if isinstance(level, str) else level


def may_ask(settings: LevelSettings, game: Game) -> Wish | None:
    """Return why a level may not be chosen by chat in this game, None where it may."""
    if not settings.by_chat or opponent_kind(game) not in settings.opponents:
        return Wish.NOT_BY_CHAT
    return None if ("rated" if game.full.rated else "casual") in settings.modes else Wish.WRONG_MODE


def elo_of(settings: LevelSettings, word: str) -> int | None:
    """Return the level that a number, a name or "full" means. Raises ValueError for any other word."""
    word = word.lower()
    if word == FULL_STRENGTH:
        return None
    if word in settings.names:
        return settings.names[word]
    if word.isascii() and word.isdigit() and len(word) <= len(str(MAX_LEVEL)) and MIN_LEVEL <= int(word) <= MAX_LEVEL:
        return int(word)
    raise ValueError(f"{word!r} is no level: give {MIN_LEVEL} to {MAX_LEVEL}, full, {', '.join(settings.names)}")


def decide(settings: LevelSettings, game: Game, word: str) -> Decision:
    """Decide about an opponent's wish: a number, a name, or "full"."""
    refused = may_ask(settings, game)
    if refused is not None:
        return Decision(refused)
    try:
        elo = elo_of(settings, word)
    except ValueError:
        return Decision(Wish.UNKNOWN)
    begun = game.over or game.ply >= ABORTABLE_PLIES
    return Decision(Wish.NEXT if begun else Wish.NOW, elo)
