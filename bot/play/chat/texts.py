"""Texts made ready for the server: placeholders filled in, long ones split or cut at words. Pure."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

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
