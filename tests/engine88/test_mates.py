"""Mates in one to five from the project's games: each is found, and none is announced shorter than it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine88.defs import MATE
from tests.engine88.searching import INTERPRETED, searcher_of

MATES = (Path(__file__).parent / "data" / "mates.epd").read_text(encoding="utf-8").splitlines()
NODES = 3_000_000  # one of them, with quiet moves on the way, needs a million


@pytest.mark.skipif(INTERPRETED, reason="needs some ten thousand nodes")
@pytest.mark.parametrize("line", MATES)
def test_the_shortest_mate_is_found(line: str) -> None:
    told = re.fullmatch(r"(.*) dm (\d);", line)
    assert told is not None
    plies = 2 * int(told.group(2)) - 1
    searcher = searcher_of(f"{told.group(1)} 0 1")
    found = searcher.run(max_nodes=NODES, on_line=lambda line: line.completed and MATE - line.score <= plies)
    assert found is not None
    assert MATE - found.score == plies
