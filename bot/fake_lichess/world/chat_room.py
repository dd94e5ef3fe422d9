"""The two chat rooms of a game with the server's rules: 140 characters, no floods, no repeats."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_CHARS = 140
FLOOD_LINES = 4
FLOOD_SPAN_MS = 10_000
SIMILARITY = 0.85
PRESETS = frozenset({"Good luck", "Have fun!", "Good game", "Well played", "Thank you", "Hello"})
ROOMS = ("player", "spectator")


@dataclass(frozen=True)
class ChatLine:
    """One line of chat as everyone sees it."""

    username: str
    text: str
    room: str


class ChatRoom:
    """The lines of one game, both rooms."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        self._recent: dict[tuple[str, str], deque[tuple[float, str]]] = {}

    def say(self, username: str, text: str, room: str, now_ms: float) -> ChatLine | None:
        """Add a line; None if the server drops it silently (a flood, or similar to one of the last two)."""
        text = " ".join(text.split())
        recent = self._recent.setdefault((username, room), deque(maxlen=FLOOD_LINES))
        if not text or (text not in PRESETS and _is_flood(recent, text, now_ms)):
            return None
        recent.append((now_ms, text))
        line = ChatLine(username, text, room)
        self.lines.append(line)
        return line


def _is_flood(recent: deque[tuple[float, str]], text: str, now_ms: float) -> bool:
    if len(recent) == FLOOD_LINES and now_ms - recent[0][0] < FLOOD_SPAN_MS:
        return True
    return any(SequenceMatcher(None, text, said).ratio() >= SIMILARITY for _, said in list(recent)[-2:])
