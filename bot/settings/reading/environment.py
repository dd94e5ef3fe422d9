"""Environment variables that override keys of the file: `BOT88__CLOCK__PONDER=true` sets `clock.ponder`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from bot.errors import ConfigurationError
from bot.settings.reading.yaml_lines import Document, Place

#: What the variables' names start with; the same two underscores stand between a section and its key.
PREFIX = "BOT88__"
#: Who names the port here wants the dashboard, though the file, as the one we ship, has `enabled: false`.
_DASHBOARD_PORT, _DASHBOARD_ENABLED = ("dashboard", "port"), ("dashboard", "enabled")


def overrides(environ: Mapping[str, str]) -> Iterator[tuple[str, Place]]:
    """Yield each variable that overrides a key and the path of the key, sections before what is in them.

    Raises ConfigurationError for a name that is no path, and for two names that differ in case alone.
    """
    seen: dict[Place, str] = {}
    for variable in sorted(name for name in environ if name.startswith(PREFIX)):
        place = tuple(variable.removeprefix(PREFIX).lower().split("__"))
        if not all(place):
            raise ConfigurationError(f"{variable}: names no key; write it as {PREFIX}SECTION__KEY")
        if place in seen:
            raise ConfigurationError(f"{variable}: sets the same key as {seen[place]}; remove one")
        seen[place] = variable
    yield from sorted(((variable, place) for place, variable in seen.items()), key=lambda item: len(item[1]))


def with_environment(document: Document, environ: Mapping[str, str]) -> Document:
    """Return the document with the variables' values, which are read as YAML, in place of the file's.

    Raises ConfigurationError naming the variable that is not YAML or leads into something that is not a section.
    """
    data = document.data
    variables: dict[Place, str] = {}
    for variable, place in overrides(environ):
        data = _replaced(data, place, _value(variable, environ[variable]), variable)
        variables[place] = variable
    if _DASHBOARD_PORT in variables and _DASHBOARD_ENABLED not in variables:
        data = {**data, "dashboard": {key: value for key, value in data["dashboard"].items() if key != "enabled"}}
    return Document(data, document.lines, variables)


def _value(variable: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ConfigurationError(f"{variable}: this is not YAML: {problem}; put text in quotes") from error


def _replaced(data: Any, place: Place, value: Any, variable: str) -> Any:
    """Return a copy of `data` in which the entry at `place` is `value`; sections on the way are made where missing."""
    if not place:
        return value
    if data is not None and not isinstance(data, dict):
        whole = variable.rsplit("__", len(place))[0]
        raise ConfigurationError(f"{variable}: the key above it holds a list or a value; set {whole} as a whole")
    section = data or {}
    return {**section, place[0]: _replaced(section.get(place[0]), place[1:], value, variable)}
