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


def lines_of(text: str, *, split: bool) -> list[str]:
    """Return the lines of at most 140 characters that say a text.

    Broken between words, and within one only where it alone is too long. What three lines cannot hold, or without
    `split` one, is cut off with "…".
    """
    if not text.strip():
        return []
    most = MAX_LINES if split else 1
    lines = textwrap.wrap(text, MAX_CHARACTERS, break_on_hyphens=False)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while len(last) + len(_CUT) > MAX_CHARACTERS:
        last = last.rpartition(" ")[0] or last[: MAX_CHARACTERS - len(_CUT)]
    return [*lines[: most - 1], last + _CUT]
