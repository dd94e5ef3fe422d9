"""Parsing YAML with the line number of every key; duplicate keys are errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from bot.errors import ConfigurationError

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """Plain data; the line (from 1) of each key or list entry of the file, and the variables that replaced some."""

    data: Any
    lines: dict[Place, int]
    variables: dict[Place, str] = field(default_factory=dict)

    def line_of(self, place: Place) -> int:
        """The line of a path; of its nearest parent that is in the file where it is not."""
        for length in range(len(place), 0, -1):
            if place[:length] in self.lines:
                return self.lines[place[:length]]
        return 1

    def source_of(self, place: Place, name: str) -> str:
        """Where the value at a path was written: `file:line`, or the environment variables that set it or parts of it.

        A section that the file has and a variable changed is both: `file:line and VARIABLE`.
        """
        for length in range(len(place), 0, -1):
            if place[:length] in self.variables:
                return self.variables[place[:length]]
        below = [variable for path, variable in self.variables.items() if path[: len(place)] == place]
        written = [] if below and place and place not in self.lines else [f"{name}:{self.line_of(place)}"]
        return " and ".join(written + below)


def read_document(text: str, name: str) -> Document:
    """Parse one YAML document. Raises ConfigurationError with `name` and the line."""
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        lines: dict[Place, int] = {}
        if node is not None:
            _note_lines(node, (), lines, name)
        data = loader.construct_document(node) if node is not None else {}
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigurationError(f"{name}:{line}: this is not YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{name}:1: this is not YAML: {str(error).splitlines()[0]}") from error
    if not isinstance(data, dict):
        raise ConfigurationError(f"{name}:1: the file must be a list of `key: value` lines, not {type(data).__name__}")
    return Document(data, lines)


def _note_lines(node: yaml.Node, place: Place, lines: dict[Place, int], name: str) -> None:
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            below = (*place, key_node.value if isinstance(key_node.value, str) else str(key_node.value))
            line = key_node.start_mark.line + 1
            if below in lines and key_node.value != "<<":
                dotted = ".".join(map(str, below))
                raise ConfigurationError(
                    f"{name}:{line}: {dotted}: this key is there twice, first in line {lines[below]}; remove one"
                )
            lines[below] = line
            _note_lines(value_node, below, lines, name)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            lines[(*place, index)] = item.start_mark.line + 1
            _note_lines(item, (*place, index), lines, name)
