"""Reading another bot's configuration key by key, and what both formats share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from bot.errors import ConfigurationError
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
from bot.settings.document import Document, Place, escaped

NO_EQUIVALENT = "has no counterpart"


class Section:
    """A section of the file. Reading a key marks it; `close` notes the keys that were not read."""

    def __init__(self, document: Document, name: str, notes: list[str], place: Place = ()) -> None:
        data = document.data
        for part in place:
            data = data.get(part) if isinstance(data, dict) else None
        self._document, self._name, self._notes, self._place = document, name, notes, place
        if data is not None and not isinstance(data, dict):
            raise self._wrong((), "must be a section of `key: value` lines")
        self._data: dict[str, Any] = {str(key): value for key, value in (data or {}).items()}
        self._read: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return self._data.get(key) is not None

    def has(self, key: str) -> bool:
        """Whether the key is in the file, even without a value."""
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        """Yield the keys that have a value, in the file's order."""
        yield from [key for key, value in self._data.items() if value is not None]

    def section(self, key: str) -> Section:
        """Return the section below a key; it may be empty."""
        self._read.add(key)
        return Section(self._document, self._name, self._notes, (*self._place, key))

    def flag(self, key: str, default: bool = False) -> bool:
        """Return a truth value."""
        value = self._taken(key, bool, "true or false")
        return default if value is None else bool(value)

    def whole(self, key: str) -> int | None:
        """Return a whole number, None if the key has no value."""
        value: int | None = self._taken(key, int, "a whole number")
        return value

    def number(self, key: str) -> float | None:
        """Return a number, None if the key has no value."""
        value: float | None = self._taken(key, (int, float), "a number")
        return value

    def text(self, key: str) -> str:
        """Return a text, "" if the key has no value."""
        return str(self._taken(key, (str, int, float), "text") or "")

    def texts(self, key: str) -> list[str]:
        """Return a list of texts, also for a single one."""
        return [str(item) for item in self.items(key)]

    def items(self, key: str) -> list[Any]:
        """Return a list of plain values, also for a single one."""
        value = self._taken(key, (list, str, int, float), "a list")
        entries = value if isinstance(value, list) else [] if value is None else [value]
        if any(isinstance(entry, (list, dict)) for entry in entries):
            raise self._wrong((key,), "must be a list of words or numbers")
        return [entry for entry in entries if entry is not None]

    def variants(self, key: str) -> list[str]:
        """Return names of variants in Lichess's spelling; unknown ones are noted."""
        return self._known(key, VARIANTS)

    def speeds(self, key: str) -> list[str]:
        """Return speeds and exact clocks; anything else is noted."""
        return self._known(key, {name.lower(): name for name in SPEEDS}, clocks=True)

    def users(self, *keys: str) -> list[str]:
        """Return names and addresses of lists; an address may lack its scheme."""
        found = []
        for key in keys:
            for entry in self.texts(key):
                is_host = not is_address(entry) and "/" in entry and "." in entry.split("/")[0].strip(".")
                found.append(f"https://{entry}" if is_host else entry)
        return list(dict.fromkeys(found))

    def _known(self, key: str, words: dict[str, str], *, clocks: bool = False) -> list[str]:
        found: list[str] = []
        for word in self.texts(key):
            ours = words.get(word.lower()) or (clock_of(word) if clocks else None)
            if ours is None:
                self.note(key, f"{word!r} is unknown")
            elif ours not in found:
                found.append(ours)
        return found

    def plain(self) -> dict[str, Any]:
        """Return all keys with plain values, marked as read."""
        found = {key: value for key, value in self._data.items() if isinstance(value, (bool, int, float, str))}
        self._read.update(found)
        return found

    def drop(self, key: str, reason: str = NO_EQUIVALENT, unless: object = None) -> None:
        """Note that a key has no counterpart, unless it is absent or has the value `unless`."""
        self._read.add(key)
        if key in self and self._data[key] != unless and self._data[key] not in ([], {}, ""):
            self.note(key, reason)

    def note(self, key: str, reason: str) -> None:
        """Add a note about a key, with its line."""
        place = (*self._place, key)
        line, dotted = self._document.line_of(place), ".".join(map(str, place))
        self._notes.append(escaped(f"{self._name}:{line}: {dotted}: {reason}"))

    def close(self) -> None:
        """Note every key that has a value and was not read."""
        for key in self:
            if key not in self._read:
                self.drop(key)

    def _taken(self, key: str, types: type | tuple[type, ...], expected: str) -> Any:
        self._read.add(key)
        value = self._data.get(key)
        fits = isinstance(value, types) and (types is bool or not isinstance(value, bool))
        if value is not None and not fits:
            raise self._wrong((key,), f"must be {expected}")
        return value

    def _wrong(self, below: Place, problem: str) -> ConfigurationError:
        place = (*self._place, *below)
        line = self._document.line_of(place)
        dotted = ".".join(map(str, place))
        return ConfigurationError(escaped(f"{self._name}:{line}: {dotted}: {problem}; correct it first"))


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
    """Set a key by its dotted path; None is ignored."""
    if value is None:
        return
    *sections, name = dotted.split(".")
    for section in sections:
        target = target.setdefault(section, {})
    target[name] = value


def located(path: str, folder: Path) -> str:
    """Return an absolute path; relative ones start from the folder of their file."""
    return str((folder / Path(path).expanduser()).resolve())


def carry_token(root: Section, target: Values, *, with_token: bool) -> None:
    """Carry the token over if requested."""
    if with_token:
        put(target, "lichess.token", root.text("token") or None)
    else:
        root.drop("token", "is left out; set BOT88_TOKEN, or use --with-token")


def carry_chat(section: Section, target: Values, names: dict[str, str]) -> None:
    """Carry chat texts over; `names` maps their keys to ours."""
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
    """Return UCI options without those that the bot sets itself."""
    options = section.plain()
    for name in [name for name in options if name.lower() in _MANAGED]:
        section.note(name, "the bot sets this option itself")
        del options[name]
    section.close()
    return options


def carry_tablebase(section: Section, target: Values, kind: str, most: int, folder: Path) -> None:
    """Carry over a section with `enabled`, `paths` and `max_pieces`, if it is enabled."""
    paths, pieces = section.texts("paths"), section.whole("max_pieces")
    if section.flag("enabled"):
        put(target, f"move_sources.{kind}.paths", [located(path, folder) for path in paths])
        put(target, f"move_sources.{kind}.max_pieces", min(pieces, most) if pieces else None)


def online_order(priorities: dict[str, int]) -> list[str] | None:
    """Return our order of sources from their priorities, highest first; None if it is the default."""
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
