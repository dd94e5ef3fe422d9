"""SPSA and its report."""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from engine88.search import params
from engine88.training.tuning.spsa import (
    GAMMA,
    Dimension,
    Schedule,
    SpsaOptimizer,
    dimension,
    draw_trajectories,
    follow,
    table,
    with_values,
)

SUMMIT = {"HIGH": 140, "LOW": 22}
DIMENSIONS = [Dimension("HIGH", 100, 0, 200, 10.0), Dimension("LOW", 40, 0, 100, 5.0)]


def played(settings: tuple[int, ...], others: tuple[int, ...], lots: random.Random) -> int:
    """The half points of two games, whose result depends on the distances to the summit."""

    def worth(values: tuple[int, ...]) -> float:
        return -sum(((value - SUMMIT[one.name]) / one.step) ** 2 for value, one in zip(values, DIMENSIONS, strict=True))

    expected = 1 / (1 + math.exp(worth(others) - worth(settings)))
    return sum(2 if lots.random() < expected else 0 for _ in range(2))


def climb(pairs: int, rate: float = 0.02) -> tuple[SpsaOptimizer, list[int]]:
    optimizer, lots, results = SpsaOptimizer(DIMENSIONS, Schedule(pairs, "seed", rate)), random.Random(1), []
    for pair in range(pairs):
        results.append(played(*optimizer.propose(pair), lots))
        optimizer.add(results[-1])
    return optimizer, results


def test_it_climbs_to_where_games_are_won() -> None:
    optimizer, _ = climb(3000)
    assert optimizer.values() == pytest.approx(tuple(SUMMIT.values()), abs=6)


def test_the_results_alone_say_where_a_run_stands() -> None:
    optimizer, results = climb(200)
    again = SpsaOptimizer(DIMENSIONS, Schedule(200, "seed", 0.02))
    ways = follow(again, results, points=10)
    assert (again.centre == optimizer.centre).all()
    assert again.propose(200) == optimizer.propose(200)
    assert ways.shape == (11, 2)
    assert (ways[0] == 0).all()
    assert (ways[-1] == optimizer.in_steps()).all()


def test_the_two_settings_of_a_pair_lie_on_both_sides() -> None:
    optimizer = SpsaOptimizer(DIMENSIONS, Schedule(100, "seed"))
    for pair in range(50):
        first, second = optimizer.propose(pair)
        assert first[0] != second[0]
        assert sum(first) / 2 + sum(second) / 2 == pytest.approx(140, abs=2)
    assert len({optimizer.propose(pair).first for pair in range(50)}) > 10


def test_steps_and_gains_shrink_to_their_last_values() -> None:
    """In the last pair a number is moved by its step each way, and both games won move it by twice the rate."""
    optimizer = SpsaOptimizer([Dimension("A", 50_000, 0, 100_000, 500.0)], Schedule(100, "seed", 0.01))

    def distance(pair: int) -> int:
        first, second = optimizer.propose(pair)
        return abs(first[0] - second[0])

    assert distance(0) == pytest.approx(1000 * 100**GAMMA, abs=2)
    assert distance(49) == pytest.approx(1000 * 2**GAMMA, abs=2)
    assert distance(99) == pytest.approx(1000, abs=2)
    for _ in range(99):
        optimizer.add(2)
    assert optimizer.in_steps().tolist() == [0.0]
    optimizer.add(4)
    assert np.abs(optimizer.in_steps()).tolist() == pytest.approx([2 * 0.01])


def test_nothing_leaves_its_range() -> None:
    optimizer = SpsaOptimizer([Dimension("EDGE", 10, 0, 10, 5.0)], Schedule(50, "seed", 1.0))
    for pair in range(50):
        for values in optimizer.propose(pair):
            assert 0 <= values[0] <= 10
        optimizer.add(4 if optimizer.propose(pair).first > optimizer.propose(pair).second else 0)
    assert optimizer.values() == (10,)


def test_drawn_pairs_move_nothing() -> None:
    optimizer = SpsaOptimizer(DIMENSIONS, Schedule(10, "seed", 1.0))
    for _ in range(10):
        optimizer.add(2)
    assert optimizer.values() == (100, 40)
    assert np.abs(optimizer.in_steps()).max() == 0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="SPEED is 7, outside its range 8 to 9"):
        dimension("SPEED", 7, 8, 9)
    with pytest.raises(ValueError, match="0 to 4 half points, not 5"):
        SpsaOptimizer(DIMENSIONS, Schedule(10, "seed")).add(5)
    assert dimension("SMALL", 3, 1, 6).step == 0.5
    assert dimension("LARGE", 300, 0, 600).step == 30.0


def moved() -> SpsaOptimizer:
    optimizer = SpsaOptimizer(
        [Dimension("A", 50, 0, 100, 5.0), Dimension("B", 5, 5, 5, 0.5)], Schedule(20, "seed", 0.5)
    )
    for pair in range(20):
        optimizer.add(4 if optimizer.propose(pair).first[0] > optimizer.propose(pair).second[0] else 0)
    return optimizer


def test_the_table_tells_what_moved() -> None:
    optimizer = moved()
    lines = table(optimizer).splitlines()
    assert len(lines) == 2
    assert lines[1].split() == ["A", "50", str(optimizer.values()[0]), f"{optimizer.in_steps()[0]:+.2f}"]
    assert optimizer.values()[0] > 50


def test_values_are_written_where_the_names_stand() -> None:
    source = Path(params.__file__).read_text(encoding="utf-8")
    changed = with_values(
        source, {"PROBCUT_MARGIN": "-7", "TIME_SOFT_SHARE": "0.512", "TIME_STABILITY_FACTOR": "(1.5, 1.25)"}
    )
    assert "PROBCUT_MARGIN = -7  #" in changed
    assert "TIME_SOFT_SHARE = 0.512  #" in changed
    assert "TIME_STABILITY_FACTOR = (1.5, 1.25)  # by iterations" in changed
    assert len(changed.splitlines()) == len(source.splitlines())
    with pytest.raises(ValueError, match=r"PROBCUT_MARGIN = NUMBER stands 2 times"):
        with_values(source + source, {"PROBCUT_MARGIN": "1"})
    with pytest.raises(ValueError, match=r"PROBCUT_EDGE = NUMBER stands 0 times"):
        with_values(source, {"PROBCUT_EDGE": "1"})


def test_the_ways_are_drawn_where_matplotlib_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    optimizer = SpsaOptimizer([Dimension("A", 50, 0, 100, 5.0)], Schedule(20, "seed", 0.5))
    ways = follow(optimizer, [4, 0, 2, 3])
    path = tmp_path / "ways.png"
    assert draw_trajectories(path, "four pairs", optimizer, ways, 4)
    assert path.read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert not draw_trajectories(tmp_path / "none.png", "four pairs", optimizer, np.array(ways), 4)
