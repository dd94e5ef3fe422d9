"""docs/features.md names a test or a reason for each feature; test_documents.py sees that the tests exist."""

from __future__ import annotations

import re

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


def test_every_line_has_five_cells_and_a_test_or_a_reason() -> None:
    assert rows()
    for cells in rows():
        assert len(cells) == 5, cells
        assert all(cells), cells
        shown = re.fullmatch(r"`tests/[^`]+`(, `tests/[^`]+`)*", cells[-1])
        reasoned = cells[-1] == "-" and len(cells[3]) >= SHORTEST_REASON
        assert shown or reasoned, cells


def test_no_feature_is_listed_twice() -> None:
    features = [cells[0] for cells in rows()]
    assert len(features) == len(set(features))
