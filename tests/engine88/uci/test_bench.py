"""The bench: its form, and the signature of the search.

The expected count is in one place, `bench_signature.txt` beside this file. A change of search or evaluation
changes it on purpose: run `python -m engine88 bench`, write the new number there and into the last line of the commit.
"""

import itertools
import re
from pathlib import Path
from types import SimpleNamespace

import chess
import pytest

from engine88.compiler.warmup import warm_up
from engine88.uci import bench
from engine88.uci.bench import BENCH_DEPTH, CHESS960_POSITIONS, POSITIONS, run_bench
from tests.engine88.games import compiled_only

SIGNATURE = Path(__file__).parents[1] / "bench_signature.txt"


@compiled_only("millions of nodes")
def test_the_signature_is_the_one_written_down() -> None:
    warm_up()
    lines: list[str] = []
    nodes = run_bench(lines.append)
    assert re.fullmatch(rf"{nodes} nodes \d+ nps", lines[-1])
    assert len(lines) == len(POSITIONS) + len(CHESS960_POSITIONS) + 1
    expected = int(SIGNATURE.read_text())
    assert nodes == expected, f"bench at depth {BENCH_DEPTH} is {nodes}, not {expected}: see the top of this file"


@compiled_only("thousands of nodes in each of many positions")
def test_depth_can_be_given_and_the_searches_alone_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    ticks = itertools.count(1000.0, 0.25)  # looked at before and after each search
    monkeypatch.setattr(bench, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    nodes = run_bench(lines.append, 2)
    assert 0 < nodes < 50_000
    assert lines[-1] == f"{nodes} nodes {int(nodes / (0.25 * (len(lines) - 1)))} nps"


@pytest.mark.parametrize("depth", [0, 128, 99999])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"from 1 to 127, not {depth}"):
        run_bench(lambda _: None, depth)


@compiled_only("thousands of nodes")
def test_a_stopped_bench_ends_without_a_sum() -> None:
    lines: list[str] = []
    run_bench(lines.append, 60, lambda: True)
    assert lines == ["info string bench was stopped"]


@pytest.mark.parametrize("fen", POSITIONS)
def test_positions_are_sound(fen: str) -> None:
    assert chess.Board(fen).is_valid()


@pytest.mark.parametrize("fen", CHESS960_POSITIONS)
def test_chess960_positions_are_sound(fen: str) -> None:
    assert chess.Board(fen, chess960=True).is_valid()
