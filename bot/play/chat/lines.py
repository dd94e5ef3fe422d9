"""Lines of chat: placeholders filled in, texts split or cut, and no more of them than the server takes. Pure."""

from __future__ import annotations

import re
import textwrap
from collections import Counter, deque
from collections.abc import Mapping, Sequence

from bot.settings import MAX_CHARACTERS, MAX_LINES

_FIELD = re.compile(r"\{(\w+)\}")
_CUT = "…"


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace `{name}` by its value, nothing where there is none, and runs of blanks by one."""
    return " ".join(_FIELD.sub(lambda found: values.get(found.group(1), ""), text).split())


def lines_of(text: str) -> list[str]:
    """Return a text as up to three lines of at most 140 characters; a longer text is cut off with "…".

    Lines are broken between words, and within a word only if it is too long for a line.
    """
    if not text.strip():
        return []
    lines = textwrap.wrap(text, MAX_CHARACTERS, break_on_hyphens=False)
    if len(lines) <= MAX_LINES:
        return lines
    last = lines[MAX_LINES - 1]
    while len(last) + len(_CUT) > MAX_CHARACTERS:
        last = last.rpartition(" ")[0] or last[: MAX_CHARACTERS - len(_CUT)]
    return [*lines[: MAX_LINES - 1], last + _CUT]


SERVER_LINES, SERVER_SPAN_S = 4, 10.0  # Lichess takes so many lines of one user within this time in a room
SPAN_S = SERVER_SPAN_S + 1.0  # a little longer than the server's, whose watch is another
REPEATS_SEEN = 2  # a line like one of the last two is dropped by the server
MAX_ANSWERS_PER_USER = 10  # in one game
MAX_ANSWERS = 40  # in one game, to all users together


class FloodGuard:
    """The lines said in one game and the answers given; `now_s` in monotonic seconds."""

    def __init__(self) -> None:
        self._said: dict[str, deque[tuple[float, str]]] = {}
        self._answers: Counter[str] = Counter()

    def may_answer(self, username: str) -> bool:
        """Whether a user has asked no more than is answered in one game; counts this answer if so."""
        user = username.lower()
        if self._answers[user] >= MAX_ANSWERS_PER_USER or self._answers.total() >= MAX_ANSWERS:
            return False
        self._answers[user] += 1
        return True

    def takes(self, room: str, lines: Sequence[str], now_s: float) -> bool:
        """Whether the server would take these lines in a room now; remembers them if so."""
        said = self._said.setdefault(room, deque(maxlen=SERVER_LINES + MAX_LINES))
        lately = [at_s for at_s, _ in said if now_s - at_s < SPAN_S]
        repeated = {line for _, line in list(said)[-REPEATS_SEEN:]}
        if len(lately) + len(lines) > SERVER_LINES or repeated.intersection(lines):
            return False
        said.extend((now_s, line) for line in lines)
        return True
