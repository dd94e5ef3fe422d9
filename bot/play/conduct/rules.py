"""Which manners hold in a game: the usual ones, with what the first fitting rule says in their place. Pure."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from bot.move_sources.facts import facts_of
from bot.play.game import Game
from bot.settings import ConductSettings

M = TypeVar("M", bound=BaseModel)

_CHANGED = ("resign", "draw", "takebacks", "abort_after_s")


def conduct_for(settings: ConductSettings, game: Game) -> ConductSettings:
    """Return the settings for one game; keys that its rule does not name stay as usual."""
    if not settings.rules:
        return settings
    facts = facts_of(game)
    rule = next((one for one in settings.rules if one.fit(facts)), None)
    if rule is None:
        return settings
    changes = {name: value for name in _CHANGED if (value := getattr(rule, name)) is not None}
    return _with(settings, changes)


def _with(usual: M, changes: dict[str, object]) -> M:
    """Return a copy with these keys; of a section only the keys that it names are taken over."""
    update = {}
    for name, value in changes.items():
        if isinstance(value, BaseModel):
            named = {key: getattr(value, key) for key in value.model_fields_set}
            value = _with(getattr(usual, name), named)
        update[name] = value
    return usual.model_copy(update=update)
