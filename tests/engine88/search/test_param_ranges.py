"""Every tunable constant has a meaning and a range, and lies within its range."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine88.search import params
from engine88.search.param_ranges import RANGES, Parameter, parameters


def constants() -> list[str]:
    """The names that `params.py` assigns, in its order, read from the source."""
    tree = ast.parse(Path(params.__file__).read_text(encoding="utf-8"))
    targets = [node.targets for node in tree.body if isinstance(node, ast.Assign)]
    return [target.id for names in targets for target in names if isinstance(target, ast.Name)]


def test_every_constant_has_a_range_and_every_range_a_constant() -> None:
    assert sorted(RANGES) == sorted(constants())


@pytest.mark.parametrize("parameter", list(parameters()), ids=lambda parameter: parameter.name)
def test_a_constant_lies_in_its_range(parameter: Parameter) -> None:
    values = parameter.value if isinstance(parameter.value, tuple) else (parameter.value,)
    assert parameter.low < parameter.high
    assert all(parameter.low <= value <= parameter.high for value in values)


def test_every_constant_has_a_meaning_of_its_own() -> None:
    meanings = re.findall(r"^[A-Z_]+ = .*  # (.+)$", Path(params.__file__).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(meanings)) == len(RANGES)
