"""The picture of a training's losses; needs matplotlib (the extra `plots`)."""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine88.training.network_trainer.trainer import Epoch


def draw_losses(path: Path, title: str, epochs: Sequence[Epoch]) -> bool:
    """Draw training and held-out loss over the epochs to a PNG; returns False where matplotlib is not installed."""
    try:
        figures: Any = importlib.import_module("matplotlib.figure")
    except ModuleNotFoundError:
        return False
    figure = figures.Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    numbers = [epoch.number for epoch in epochs]
    axes.plot(numbers, [epoch.training_loss for epoch in epochs], label="training")
    axes.plot(numbers, [epoch.held_out_loss for epoch in epochs], label="held-out games")
    best = min(epochs, key=lambda epoch: epoch.held_out_loss)
    axes.plot([best.number], [best.held_out_loss], "o", color="black", label=f"best: {best.held_out_loss:.6f}")
    axes.set(title=title, xlabel="epoch", ylabel="mean squared error of the expected result")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=110)
    return True
