"""The configuration as plain data, read from YAML and environment variables, with the place of each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from bot.errors import ConfigurationError

#: Environment variables override keys: `BOT88__CLOCK__PONDER=true` sets `clock.ponder`.
PREFIX = "BOT88__"
MAX_BYTES = 128 * 1024  # of a file; PyYAML reads about 250 KiB a second
MAX_DEPTH = 50
MAX_VALUES = 50_000  # in a file, after its aliases are expanded
# Setting the port in the environment enables the dashboard, although the shipped file contains `enabled: false`.
_DASHBOARD_PORT, _DASHBOARD_ENABLED = ("dashboard", "port"), ("dashboard", "enabled")

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """Plain data; the line (from 1) of each key and list entry of the file, and the variable that set a value."""

    data: Any
    lines: dict[Place, int]
    variables: dict[Place, str] = field(default_factory=dict)

    def line_of(self, place: Place) -> int:
        """Return the line of a path, or of its nearest parent in the file."""
        for length in range(len(place), 0, -1):
            if place[:length] in self.lines:
                return self.lines[place[:length]]
        return 1

    def source_of(self, place: Place, name: str) -> str:
        """Return where a value was written: `file:line`, or the environment variables that set it or parts of it.

        For a section of the file that a variable changed both are named: `file:line and VARIABLE`.
        """
        for length in range(len(place), 0, -1):
            if place[:length] in self.variables:
                return self.variables[place[:length]]
        below = [variable for path, variable in self.variables.items() if path[: len(place)] == place]
        written = [] if below and place and place not in self.lines else [f"{name}:{self.line_of(place)}"]
        return " and ".join(written + below)


def escaped(text: str) -> str:
    """Return text for a terminal: direction marks and control characters as escapes, line breaks as they are."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


class _Plain(yaml.SafeDumper):
    """Writes no aliases."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 -- the signature is PyYAML's
        return True


def to_yaml(values: object) -> str:
    """Return plain values as YAML for people, in the order given; with direction marks, all Unicode is escaped."""
    text = yaml.dump(values, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120)
    if text.replace("\n", "").isprintable():
        return text
    return yaml.dump(values, Dumper=_Plain, sort_keys=False, allow_unicode=False, width=120)


def read_file(path: Path) -> str:
    """Return the text of a configuration file. Raises ConfigurationError."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ConfigurationError(_too_large(str(path)))
        return content.decode("utf-8")
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: no such file; correct the path") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error


def read_document(text: str, name: str) -> Document:
    """Parse one YAML document. Raises ConfigurationError with `name` and the line."""
    if len(text) > MAX_BYTES:
        raise ConfigurationError(_too_large(name))
    try:
        data, lines = _parse(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigurationError(escaped(f"{name}:{line}: {_in_words(error)}")) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = str(error).splitlines()[0]
        raise ConfigurationError(escaped(f"{name}:1: this is not YAML: {problem}")) from error
    except _MistakeError as error:
        raise ConfigurationError(escaped(f"{name}:{error}")) from error
    data = {} if data is None else data
    if not isinstance(data, dict):
        raise ConfigurationError(f"{name}:1: the file must consist of `key: value` lines, not {type(data).__name__}")
    return Document(data, lines)


#: Common mistakes, by the words that PyYAML uses for them.
_MISTAKES = {
    "found character '\\t'": "a tab; indent with spaces",
    "expected <block end>": "wrong indentation: the keys of a section must begin in the same column",
    "mapping values are not allowed here": "wrong indentation, no colon in the line above, or a colon in text without "
    "quotes",
    "could not find expected ':'": "this is not a line of the form `key: value`, or a quote is not closed",
}


def _in_words(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or ""
    known = next((words for start, words in _MISTAKES.items() if problem.startswith(start)), "")
    return known or f"this is not YAML: {problem}"


def _too_large(name: str) -> str:
    return f"{name}: larger than {MAX_BYTES // 1024} KiB; move lists of users into files of their own"


class _MistakeError(Exception):
    """A mistake in valid YAML: its line and text."""


def _parse(text: str) -> tuple[Any, dict[Place, int]]:
    """Return the data of a YAML document and the line of each key."""
    loader = yaml.SafeLoader(text)
    node = loader.get_single_node()
    lines: dict[Place, int] = {}
    if node is None:
        return None, lines
    left = MAX_VALUES
    todo: list[tuple[yaml.Node, Place]] = [(node, ())]
    while todo:
        node_at, place = todo.pop()
        left -= 1
        if left < 0 or len(place) > MAX_DEPTH:
            problem = f"more than {MAX_VALUES} values" if left < 0 else f"nested more than {MAX_DEPTH} levels deep"
            raise _MistakeError(f"{node_at.start_mark.line + 1}: {problem}; aliases count where they are used")
        todo += _entries(node_at, place, lines)[::-1]
    return loader.construct_document(node), lines


def _entries(node: yaml.Node, place: Place, lines: dict[Place, int]) -> list[tuple[yaml.Node, Place]]:
    """Note the lines of a node's entries, and return the entries with their places. Raises _MistakeError."""
    found: list[tuple[yaml.Node, Place]] = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            below = (*place, key.value if isinstance(key.value, str) else str(key.value))
            line = key.start_mark.line + 1
            if below in lines and key.value != "<<":
                dotted = ".".join(map(str, below))
                raise _MistakeError(f"{line}: {dotted}: duplicate key, first in line {lines[below]}; remove one")
            lines[below] = line
            found.append((value, below))
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            lines[(*place, index)] = item.start_mark.line + 1
            found.append((item, (*place, index)))
    return found


def overrides(environ: Mapping[str, str]) -> Iterator[tuple[str, Place]]:
    """Yield each variable that overrides a key, and the path of the key; sections come before their keys.

    Raises ConfigurationError for a name that is not a path, and for two names that differ in case alone.
    """
    seen: dict[Place, str] = {}
    for variable in sorted(name for name in environ if name.startswith(PREFIX)):
        place = tuple(variable.removeprefix(PREFIX).lower().split("__"))
        if not all(place):
            raise ConfigurationError(escaped(f"{variable}: names no key; write {PREFIX}SECTION__KEY"))
        if place in seen:
            raise ConfigurationError(escaped(f"{variable}: sets the same key as {seen[place]}; remove one"))
        seen[place] = variable
    yield from sorted(((variable, place) for place, variable in seen.items()), key=lambda item: len(item[1]))


def with_environment(document: Document, environ: Mapping[str, str]) -> Document:
    """Return the document with the variables' values, which are YAML, in place of the file's.

    Raises ConfigurationError for a variable that is not YAML or that leads into something that is not a section.
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
        return _parse(text)[0]
    except (yaml.YAMLError, ValueError, RecursionError, _MistakeError) as error:
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ConfigurationError(escaped(f"{variable}: this is not YAML: {problem}; put text in quotes")) from error


def _replaced(data: Any, place: Place, value: Any, variable: str) -> Any:
    """Return a copy of `data` with `value` at `place`, creating missing sections."""
    if not place:
        return value
    if data is not None and not isinstance(data, dict):
        whole = variable.rsplit("__", len(place))[0]
        raise ConfigurationError(
            escaped(f"{variable}: the key above it holds a list or a value; set {whole} as a whole")
        )
    section = data or {}
    return {**section, place[0]: _replaced(section.get(place[0]), place[1:], value, variable)}
