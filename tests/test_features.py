"""docs/features.md is true: every test that it names exists, and what has no test has a reason."""

from __future__ import annotations

import ast
import re

import pytest

from tests.test_house import ROOT

TEXT = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
HEADER = "| feature | lichess-bot | BotLi | bot88 | shown by |"
SHORTEST_REASON = 30  # characters: "no" alone is none


def rows() -> list[list[str]]:
    """The cells of every line of the tables."""
    lines = [
        line for line in TEXT.splitlines() if line.startswith("|") and line != HEADER and not line.startswith("|-")
    ]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named_tests() -> list[str]:
    """What the last column names."""
    return [name for cells in rows() for name in re.findall(r"`(tests/[^`]+)`", cells[-1])]


def test_every_line_has_five_cells_and_a_test_or_a_reason() -> None:
    assert rows()
    for cells in rows():
        assert len(cells) == 5, cells
        assert all(cells), cells
        shown = re.fullmatch(r"`tests/[^`]+`(, `tests/[^`]+`)*", cells[-1])
        reasoned = cells[-1] == "-" and len(cells[3]) >= SHORTEST_REASON
        assert shown or reasoned, cells


@pytest.mark.parametrize("name", sorted(set(named_tests())))
def test_the_named_test_exists(name: str) -> None:
    path, _, function = name.partition("::")
    assert (ROOT / path).is_file(), f"docs/features.md names {path}"
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert function in functions if function else any(one.startswith("test_") for one in functions)


def test_no_feature_is_listed_twice() -> None:
    features = [cells[0] for cells in rows()]
    assert len(features) == len(set(features))
