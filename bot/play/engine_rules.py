"""Which engine a game gets, and with what options: the first rule whose every condition holds. Pure."""

from __future__ import annotations

from bot.engine_pool import Requirement
from bot.move_sources.facts import facts_of
from bot.play.game import Game
from bot.settings import EngineRule, Settings

NO_RULE = EngineRule()


def opponent_kind(game: Game) -> str:
    """Return "ai" (the server's own Stockfish), "bot" or "human"."""
    return game.opponent.kind


def rule_for(rules: tuple[EngineRule, ...], game: Game) -> EngineRule:
    """The first rule that fits; one without conditions where none does."""
    facts = facts_of(game)
    return next((rule for rule in rules if rule.fit(facts)), NO_RULE)


def requirement_for(settings: Settings, game: Game, elo: int | None = None) -> Requirement:
    """What the pool is asked for: the rule's engines, or all, that play the variant, at a strength (None: all)."""
    rule = rule_for(settings.rules, game)
    allowed = rule.engines or tuple(entry.name for entry in settings.engines)
    playing = {entry.name for entry in settings.engines if game.full.variant in entry.variants}
    able = tuple(name for name in allowed if name in playing)
    return Requirement(
        names=able or allowed,
        in_order=bool(rule.engines),
        options=dict(rule.options),
        variant=game.board.uci_variant or "chess",
        chess960=game.board.chess960,
        elo=elo,
    )


def ponders(settings: Settings, game: Game) -> bool:
    """Whether the engine thinks on the opponent's time: as the rule says, else as is usual for such games."""
    rule = rule_for(settings.rules, game)
    if rule.ponder is not None:
        return rule.ponder
    return settings.correspondence.ponder if game.is_correspondence else settings.clock.ponder
