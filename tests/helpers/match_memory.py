"""What matchmaking remembers, in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.archive.store import CoolDown


@dataclass
class Memory:
    """Remembers as the store does."""

    cool_downs: dict[str, dict[str, CoolDown]] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)

    def match_cool_downs(self, user_id: str) -> dict[str, CoolDown]:
        """Return the cool-downs of a bot."""
        return dict(self.cool_downs.get(user_id, {}))

    def save_match_cool_down(self, user_id: str, kind: str, cool_down: CoolDown) -> None:
        """Keep one."""
        self.cool_downs.setdefault(user_id, {})[kind] = cool_down

    def clear_match_cool_downs(self, user_id: str) -> None:
        """Forget those of a bot."""
        self.cool_downs.pop(user_id, None)

    def noted(self, name: str, read: Callable[[object], str]) -> list[str]:
        """Return a list."""
        return [read(value) for value in self.notes.get(name, [])]

    def note(self, name: str, values: list[str]) -> None:
        """Keep a list."""
        self.notes[name] = values
