"""What a run of SPSA tells: a table, a picture, the values in a file of parameters."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from engine88.search import params
from engine88.training.spsa.optimizer import Dimension, Schedule, SpsaOptimizer, follow
from engine88.training.spsa.report import draw_trajectories, table, with_values


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
        source, {"RAZOR_BASE": "-7", "TIME_SOFT_SHARE": "0.512", "TIME_STABILITY_FACTOR": "(1.5, 1.25)"}
    )
    assert "RAZOR_BASE = -7  #" in changed
    assert "TIME_SOFT_SHARE = 0.512  #" in changed
    assert "TIME_STABILITY_FACTOR = (1.5, 1.25)  # by iterations" in changed
    assert len(changed.splitlines()) == len(source.splitlines())
    with pytest.raises(ValueError, match=r"RAZOR_BASE = NUMBER stands 2 times"):
        with_values(source + source, {"RAZOR_BASE": "1"})
    with pytest.raises(ValueError, match=r"RAZOR_BASIS = NUMBER stands 0 times"):
        with_values(source, {"RAZOR_BASIS": "1"})


def test_the_ways_are_drawn_where_matplotlib_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    optimizer = SpsaOptimizer([Dimension("A", 50, 0, 100, 5.0)], Schedule(20, "seed", 0.5))
    ways = follow(optimizer, [4, 0, 2, 3])
    path = tmp_path / "ways.png"
    assert draw_trajectories(path, "four pairs", optimizer, ways, 4)
    assert path.read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert not draw_trajectories(tmp_path / "none.png", "four pairs", optimizer, np.array(ways), 4)
