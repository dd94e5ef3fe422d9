"""The line being typed at the prompt: keys go in, finished lines come out. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_REMEMBERED = 100
LONGEST = 500
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)", re.DOTALL)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*|O)?\Z")
_KEYS = {
    "\x1b[A": "up", "\x1bOA": "up", "\x10": "up",
    "\x1b[B": "down", "\x1bOB": "down", "\x0e": "down",
    "\x1b[C": "right", "\x1bOC": "right", "\x06": "right",
    "\x1b[D": "left", "\x1bOD": "left", "\x02": "left",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x01": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x05": "end",
    "\x1b[3~": "delete", "\x7f": "backspace", "\x08": "backspace",
    "\x15": "clear", "\x17": "clear_word", "\t": "complete",
}  # fmt: skip


class LineEditor:
    """`text` with the cursor before `text[cursor]`; `completions`: words that Tab completes at the start of a line."""

    def __init__(self, completions: Sequence[str] = ()) -> None:
        """Start with an empty line."""
        self.text = ""
        self.cursor = 0
        self._completions = completions
        self._history: list[str] = []
        self._place = 0  # in the history; its length for the line being typed
        self._pending = ""  # the beginning of an escape sequence

    def feed(self, keys: str) -> list[str]:
        """Take in what was typed; returns the lines that were finished, blank ones left out."""
        keys, self._pending = self._pending + keys, ""
        if (unfinished := _UNFINISHED.search(keys)) is not None:
            self._pending = unfinished[0]
            keys = keys[: unfinished.start()]
        lines = []
        at = 0
        while at < len(keys):
            escape = _ESCAPE.match(keys, at)
            key = escape[0] if escape else keys[at]
            at += len(key)
            if key in "\r\n":
                lines.append(self._finish())
            elif key in _KEYS:
                getattr(self, f"_{_KEYS[key]}")()
            elif key.isprintable() and len(self.text) < LONGEST:
                self._replace(self.text[: self.cursor] + key + self.text[self.cursor :], self.cursor + 1)
        return [line for line in lines if line]

    def _finish(self) -> str:
        line = self.text.strip()
        if line and self._history[-1:] != [line]:
            self._history = [*self._history, line][-MOST_REMEMBERED:]
        self._place = len(self._history)
        self._replace("", 0)
        return line

    def _replace(self, text: str, cursor: int) -> None:
        self.text, self.cursor = text, max(0, min(len(text), cursor))

    def _recall(self, place: int) -> None:
        if 0 <= place <= len(self._history):
            self._place = place
            text = self._history[place] if place < len(self._history) else ""
            self._replace(text, len(text))

    def _up(self) -> None:
        self._recall(self._place - 1)

    def _down(self) -> None:
        self._recall(self._place + 1)

    def _right(self) -> None:
        self._replace(self.text, self.cursor + 1)

    def _left(self) -> None:
        self._replace(self.text, self.cursor - 1)

    def _home(self) -> None:
        self._replace(self.text, 0)

    def _end(self) -> None:
        self._replace(self.text, len(self.text))

    def _delete(self) -> None:
        self._replace(self.text[: self.cursor] + self.text[self.cursor + 1 :], self.cursor)

    def _backspace(self) -> None:
        if self.cursor:
            self._replace(self.text[: self.cursor - 1] + self.text[self.cursor :], self.cursor - 1)

    def _clear(self) -> None:
        self._replace(self.text[self.cursor :], 0)

    def _clear_word(self) -> None:
        kept = re.sub(r"\S*\s*\Z", "", self.text[: self.cursor])
        self._replace(kept + self.text[self.cursor :], len(kept))

    def _complete(self) -> None:
        """Complete the command as far as it is certain."""
        fitting = [word for word in self._completions if word.startswith(self.text)]
        if self.text and self.cursor == len(self.text) and fitting:
            shared = fitting[0] + " " if len(fitting) == 1 else _shared_start(fitting)
            self._replace(shared, len(shared))


def _shared_start(words: Sequence[str]) -> str:
    first, last = min(words), max(words)
    length = next((at for at, letter in enumerate(first) if letter != last[at : at + 1]), len(first))
    return first[:length]
