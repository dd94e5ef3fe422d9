"""Keys that were renamed: the old name goes on working for a version, with a warning that names the new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bot.errors import ConfigurationError
from bot.settings.reading.yaml_lines import Document, Place

#: New names by old ones, both dotted; an entry is removed when the version after the renaming is out.
RENAMED: Mapping[str, str] = {}

T = TypeVar("T")

Say = Callable[[str], object]


def silent(_line: str) -> None:
    """Say nothing."""


def with_new_names(document: Document, name: str, say: Say, renamed: Mapping[str, str] = RENAMED) -> Document:
    """Return the document with old names replaced; `say` is told of each, with its place.

    Raises ConfigurationError where a key is there under both names.
    """
    for old, new in renamed.items():
        source, target = tuple(old.split(".")), tuple(new.split("."))
        value = _at(document.data, source)
        if value is None:
            continue
        where = document.source_of(source, name)
        if _at(document.data, target) is not None:
            raise ConfigurationError(f"{where}: {old}: this key is called {new} now, which is there too; remove one")
        say(f"{where}: {old} is called {new} now; the old name works until the next version")
        data = _with(_without(document.data, source), target, value)
        document = Document(data, _moved(document.lines, source, target), _moved(document.variables, source, target))
    return document


def _at(data: Any, place: Place) -> Any:
    for part in place:
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _without(data: dict[str, Any], place: Place) -> dict[str, Any]:
    """Return a copy without a key, and without the sections that are empty then."""
    first, *rest = place
    kept = dict(data)
    below = _without(data[str(first)], tuple(rest)) if rest else {}
    if below:
        kept[str(first)] = below
    else:
        del kept[str(first)]
    return kept


def _with(data: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    first, *rest = place
    section = data if isinstance(data, dict) else {}
    return {**section, first: _with(section.get(first), tuple(rest), value)}


def _moved(places: Mapping[Place, T], source: Place, target: Place) -> dict[Place, T]:
    """Move what is known of a key and of all below it."""
    size = len(source)
    return {target + place[size:] if place[:size] == source else place: known for place, known in places.items()}
