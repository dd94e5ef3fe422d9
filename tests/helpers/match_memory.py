"""What matchmaking remembers, in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.archive.store import CoolDown


@dataclass
class Memory:
    """Remembers as the store does."""

    cool_downs: dict[str, dict[str, CoolDown]] = field(default_factory=dict)
    games: dict[str, float] = field(default_factory=dict)

    def match_cool_downs(self, user_id: str) -> dict[str, CoolDown]:
        """Return them."""
        return dict(self.cool_downs.get(user_id, {}))

    def save_match_cool_down(self, user_id: str, kind: str, cool_down: CoolDown) -> None:
        """Keep one."""
        self.cool_downs.setdefault(user_id, {})[kind] = cool_down

    def clear_match_cool_downs(self, user_id: str) -> None:
        """Forget."""
        self.cool_downs.pop(user_id, None)

    def match_games_since(self, since_s: float) -> int:
        """Count."""
        return sum(begun_s > since_s for begun_s in self.games.values())

    def note_match_game(self, game_id: str, begun_s: float) -> None:
        """Count one."""
        self.games[game_id] = begun_s
