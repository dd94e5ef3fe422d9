"""Reading another bot's configuration key by key: what was not asked for, or has no equivalent, is noted."""

from __future__ import annotations

from typing import Any

from bot.errors import ConfigurationError
from bot.settings.document import Document, Place, escaped

NO_EQUIVALENT = "has no equivalent here"


class Section:
    """A section of the file. Each `take` marks its key as read; `close` notes the keys that nobody asked for."""

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
        """Whether the key is written, even with nothing behind it."""
        return key in self._data

    def keys(self) -> list[str]:
        """The keys that have a value, in the file's order."""
        return [key for key, value in self._data.items() if value is not None]

    def section(self, key: str) -> Section:
        """The section below a key, empty where there is none."""
        self._read.add(key)
        return Section(self._document, self._name, self._notes, (*self._place, key))

    def flag(self, key: str, default: bool = False) -> bool:
        """A truth value."""
        value = self._taken(key, bool, "true or false")
        return default if value is None else bool(value)

    def whole(self, key: str) -> int | None:
        """A whole number, None where there is none."""
        value: int | None = self._taken(key, int, "a whole number")
        return value

    def number(self, key: str) -> float | None:
        """A number, None where there is none."""
        value: float | None = self._taken(key, (int, float), "a number")
        return value

    def text(self, key: str) -> str:
        """A text, "" where there is none."""
        return str(self._taken(key, (str, int, float), "text") or "")

    def texts(self, key: str) -> list[str]:
        """A list of texts; a single one stands for a list of one."""
        return [str(item) for item in self.items(key)]

    def items(self, key: str) -> list[Any]:
        """A list of plain values; a single one stands for a list of one."""
        value = self._taken(key, (list, str, int, float), "a list")
        entries = value if isinstance(value, list) else [] if value is None else [value]
        if any(isinstance(entry, (list, dict)) for entry in entries):
            raise self._wrong((key,), "must be a list of words or numbers")
        return [entry for entry in entries if entry is not None]

    def plain(self) -> dict[str, Any]:
        """All keys with a plain value, marked as read."""
        found = {key: value for key, value in self._data.items() if isinstance(value, (bool, int, float, str))}
        self._read.update(found)
        return found

    def drop(self, key: str, reason: str = NO_EQUIVALENT, unless: object = None) -> None:
        """Note that a key cannot be carried over, unless it is absent or has the harmless value."""
        self._read.add(key)
        if key in self and self._data[key] != unless and self._data[key] not in ([], {}, ""):
            self.note(key, reason)

    def note(self, key: str, reason: str) -> None:
        """Say something about a key, with its line."""
        place = (*self._place, key)
        line, dotted = self._document.line_of(place), ".".join(map(str, place))
        self._notes.append(escaped(f"{self._name}:{line}: {dotted}: {reason}"))

    def close(self) -> None:
        """Note every key that has a value and was not read."""
        for key in self.keys():
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
