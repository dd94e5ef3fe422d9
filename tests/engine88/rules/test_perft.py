"""Perft against known counts: the project's own positions, each named after its trap, and the suites kept beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.perft_suites import read_suite
from engine88.rules.position import Position
from tests.engine88.games import PLAIN_PYTHON
from tests.helpers.shared import shared_data

TRAPS = [
    [field.strip() for field in line.split("|")]
    for line in (Path(__file__).parents[1] / "data" / "perft.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
MOST_NODES = 3_000 if PLAIN_PYTHON else 500_000


@pytest.mark.parametrize(
    ("fen", "rules", "depth", "nodes"), [case[1:] for case in TRAPS], ids=[case[0] for case in TRAPS]
)
def test_traps(fen: str, rules: str, depth: str, nodes: str) -> None:
    position = Position.from_fen(fen, rules == "chess960")
    if PLAIN_PYTHON:
        moves = sum(position.push(name).perft(1) for name in position.legal_moves())
        assert position.perft(2) == moves
        return
    assert position.perft(int(depth)) == int(nodes)


@pytest.mark.parametrize(
    "name",
    [
        "ethereal-standard.epd",
        "perftsuite-roce.epd",
        "pychess-tricky.perft",
        "ethereal-fischer960.epd",
        "pychess-chess960.perft",
    ],
)
def test_suites_to_a_moderate_depth(name: str) -> None:
    cases = read_suite(shared_data(f"perft/{name}"))
    for case in cases[:: 40 if PLAIN_PYTHON else 1]:
        depth = case.deepest(MOST_NODES)
        assert Position.from_fen(case.fen, case.chess960).perft(depth) == case.counts[depth], (case.fen, depth)


def test_depth_zero_is_one_position() -> None:
    assert Position.start().perft(0) == 1


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth from 0 to 128, not -1"):
        Position.start().perft(-1)


def test_counting_leaves_the_position_alone() -> None:
    position = Position.start()
    before = position.board.tobytes()
    position.perft(3)
    assert position.board.tobytes() == before
