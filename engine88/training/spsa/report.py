"""What a run of SPSA found: a table, a picture of the numbers' trajectories, and the values in `params.py`."""

import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine88.training.spsa.optimizer import SpsaOptimizer

NAMED_TRAJECTORIES: Final = 10
"""Trajectories that the picture names; the others are grey."""


def table(optimizer: SpsaOptimizer) -> str:
    """Every number that moved, furthest first: its start, its value now, and the way between in steps."""
    rows = sorted(
        zip(optimizer.dimensions, optimizer.values(), optimizer.in_steps(), strict=True), key=lambda row: -abs(row[2])
    )
    lines = [f"{'name':<36} {'start':>7} {'now':>7} {'steps':>7}"]
    lines += [
        f"{one.name:<36} {one.start:>7} {value:>7} {way:>+7.2f}" for one, value, way in rows if value != one.start
    ]
    return "\n".join(lines)


def draw_trajectories(path: Path, title: str, optimizer: SpsaOptimizer, ways: NDArray[np.float64], pairs: int) -> bool:
    """Draw where the numbers stood (rows of `ways`, in steps) over the pairs; False where matplotlib is missing."""
    try:
        figures: Any = importlib.import_module("matplotlib.figure")
    except ModuleNotFoundError:
        return False
    figure = figures.Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    at = np.linspace(0, pairs, len(ways))
    furthest = np.argsort(-np.abs(ways[-1]))
    for number in furthest[NAMED_TRAJECTORIES:]:
        axes.plot(at, ways[:, number], color="0.8", linewidth=0.8)
    for number in furthest[:NAMED_TRAJECTORIES]:
        axes.plot(at, ways[:, number], label=optimizer.dimensions[number].name)
    axes.set(title=title, xlabel="pairs of games", ylabel="way from the start, in steps")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, dpi=110)
    return True


def with_values(source: str, values: Mapping[str, str]) -> str:
    """Return the text of `params.py` with these values; raises ValueError for a name that it does not define."""
    for name, value in values.items():
        pattern = re.compile(rf"^({name} = )(?:-?[\d.]+|\([\d., -]*\))", re.MULTILINE)
        source, count = pattern.subn(rf"\g<1>{value}", source)
        if count != 1:
            raise ValueError(f"{name} = NUMBER stands {count} times in that file; give the params.py of this engine")
    return source
