"""Lists and applies cosmic-ray's mutations; run by an interpreter that has cosmic-ray, not by this project's own.

    python operators.py list TREE < [module, ...]       prints [[module, operator, occurrence, row, column], ...]
    python operators.py apply TREE < [[module, operator, occurrence], ...]      prints the mutated text of each, or null

Standard input and output are JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-not-found] # lives in a virtual environment of its own
from cosmic_ray.mutating import mutate_code  # type: ignore[import-not-found] # the same
from cosmic_ray.plugins import get_operator, operator_names  # type: ignore[import-not-found] # the same


def positions(tree: Path, module: str) -> Iterator[list[str | int]]:
    """Every mutation of a module that needs no argument."""
    nodes = list(ast_nodes(get_ast((tree / module).read_text(encoding="utf-8"))))
    for name in operator_names():
        operator_type = get_operator(name)
        if operator_type.arguments():
            continue
        operator = operator_type()
        starts = (start for node in nodes for start, _end in operator.mutation_positions(node))
        for occurrence, (row, column) in enumerate(starts):
            yield [module, name, occurrence, row, column]


def mutated(tree: Path, module: str, name: str, occurrence: int) -> str | None:
    """The text of a module with one mutation, None where there is no such place."""
    try:
        text: str | None = mutate_code((tree / module).read_text(encoding="utf-8"), get_operator(name)(), occurrence)
    except AttributeError:  # cosmic-ray 8.7 cannot change `except module.Name`
        return None
    return text


def main() -> int:
    """Answer one request."""
    verb, tree, request = sys.argv[1], Path(sys.argv[2]), json.load(sys.stdin)
    if verb == "list":
        json.dump([row for module in request for row in positions(tree, module)], sys.stdout)
    else:
        json.dump([mutated(tree, *wanted) for wanted in request], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
