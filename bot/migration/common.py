"""What both formats share: words, paths, chat texts, engine options, tablebases."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

from bot.errors import ConfigurationError
from bot.migration.reader import Section
from bot.settings import (
    MAX_CHARACTERS,
    MAX_LINES,
    PLACEHOLDERS,
    SPEEDS,
    SourceSettings,
    Variant,
    clock_name,
    is_address,
    parse_clock,
)

Values = dict[str, Any]

VARIANTS: dict[str, str] = {name.lower(): name for name in get_args(Variant)} | {
    "3check": "threeCheck",
    "giveaway": "antichess",
}
SELECTIONS = {"weighted_random": "weighted", "uniform_random": "uniform", "best_move": "best"}

#: Options that the bot sets itself, in lower case.
_MANAGED = ("ponder", "uci_variant", "uci_chess960", "multipv")
_MOST_CHAT = MAX_CHARACTERS * MAX_LINES


def put(target: Values, dotted: str, value: object) -> None:
    """Set a key by its path; None is no value."""
    if value is None:
        return
    *sections, name = dotted.split(".")
    for section in sections:
        target = target.setdefault(section, {})
    target[name] = value


def located(path: str, folder: Path) -> str:
    """Return a path that holds wherever our configuration lies; theirs start from the folder of their file."""
    return str((folder / Path(path).expanduser()).resolve())


def token(root: Section, target: Values, *, with_token: bool) -> None:
    """Carry the token over if it was asked for."""
    if with_token:
        put(target, "lichess.token", root.text("token") or None)
    else:
        root.drop("token", "stays out; set BOT88_TOKEN, or use --with-token")


def chat(section: Section, target: Values, names: dict[str, str]) -> None:
    """Carry texts over; `names` are our keys by theirs."""
    for theirs, ours in names.items():
        said = section.text(theirs)
        known = re.sub(r"\{([^{}]*)\}", lambda found: found[0] if found[1] in PLACEHOLDERS else "", said)
        if known != said:
            section.note(
                theirs, f"only {{{'}, {'.join(PLACEHOLDERS)}}} are filled in; other words in braces were removed"
            )
        if len(known) > _MOST_CHAT:
            section.note(theirs, f"is longer than {_MOST_CHAT} characters, the most for a text; left out")
        elif known:
            put(target, f"conduct.chat.{ours}", known)
    section.close()


def engine_options(section: Section) -> Values:
    """UCI options, without those that the bot sets itself."""
    options = section.plain()
    for name in [name for name in options if name.lower() in _MANAGED]:
        section.note(name, "the bot sets this option itself")
        del options[name]
    section.close()
    return options


def tablebase(section: Section, target: Values, kind: str, most: int, folder: Path) -> None:
    """Carry over a section with `enabled`, `paths` and `max_pieces`; one that is not enabled has no folders here."""
    paths, pieces = section.texts("paths"), section.whole("max_pieces")
    if section.flag("enabled"):
        put(target, f"move_sources.{kind}.paths", [located(path, folder) for path in paths])
        put(target, f"move_sources.{kind}.max_pieces", min(pieces, most) if pieces else None)


def variants(section: Section, key: str) -> list[str]:
    """Names of variants in Lichess's spelling; what is none is noted."""
    return _known(section, key, VARIANTS)


def speeds(section: Section, key: str) -> list[str]:
    """Speeds and exact clocks; what is neither is noted."""
    return _known(section, key, {name.lower(): name for name in SPEEDS}, clocks=True)


def users(section: Section, *keys: str) -> list[str]:
    """Names, and addresses of lists, which may lack what comes before the host."""
    found = []
    for key in keys:
        for entry in section.texts(key):
            is_host = not is_address(entry) and "/" in entry and "." in entry.split("/")[0].strip(".")
            found.append(f"https://{entry}" if is_host else entry)
    return list(dict.fromkeys(found))


def online_order(priorities: dict[str, int]) -> list[str] | None:
    """Return our order of sources for theirs by priority, highest first; None where it is the usual one."""
    usual = list(SourceSettings().order)
    by_priority = sorted(priorities, key=lambda name: -priorities[name])
    if by_priority == [name for name in usual if name in priorities]:
        return None
    return [*by_priority, *(name for name in usual if name not in priorities)]


def clock_of(word: str) -> str | None:
    """Return an exact clock in our spelling, None for any other word."""
    try:
        return clock_name(*parse_clock(word)) if "+" in word else None
    except ConfigurationError:
        return None


def _known(section: Section, key: str, words: dict[str, str], *, clocks: bool = False) -> list[str]:
    found: list[str] = []
    for word in section.texts(key):
        ours = words.get(word.lower()) or (clock_of(word) if clocks else None)
        if ours is None:
            section.note(key, f"{word!r} is unknown")
        elif ours not in found:
            found.append(ours)
    return found
