"""Mates in one to five from the project's games, with the network: each is found, and none is announced shorter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine88.board.defs import MATE
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from tests.engine88.games import compiled_only
from tests.engine88.searching import searcher_of

MATES = (Path(__file__).parents[1] / "data" / "mates.epd").read_text(encoding="utf-8").splitlines()
NODES = 500_000
HARDER = {"5k2/p7/6r1/4PN2/1P3KP1/P7/8/7Q w - -": 4_000_000}  # quiet moves on the way; first seen as a mate in six


@compiled_only("needs some ten thousand nodes")
@pytest.mark.parametrize("line", MATES)
def test_the_shortest_mate_is_found(line: str) -> None:
    position = re.fullmatch(r"(.*) dm (\d);", line)
    assert position is not None
    plies = 2 * int(position.group(2)) - 1
    searcher = searcher_of(f"{position.group(1)} 0 1", network=load_network(DEFAULT_FILE))
    nodes = HARDER.get(position.group(1), NODES)
    found = searcher.run(max_nodes=nodes, on_line=lambda line: line.completed and MATE - line.score <= plies)
    assert found is not None
    assert MATE - found.score == plies
