"""The report of a training run, with its loss curve."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine88.evaluation.network.layout import king_views
from engine88.evaluation.network.network_file import SCALE, Network
from engine88.training.network_trainer.checkpoint import Epoch
from engine88.training.network_trainer.gradient import Label
from engine88.training.network_trainer.layers import dequantise
from engine88.training.network_trainer.trainer import (
    Training,
    TrainingSettings,
    expected_result,
    network_outputs,
    targets,
)
from engine88.training.positions import DataSet, FileCount, Filter, Samples, total


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
    axes.set(title=title, xlabel="epoch", ylabel="mean squared error of the expected result")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=110)
    return True


FILE_HEAD: Final = ("file", "games", "plies", "positions kept")
EPOCH_HEAD: Final = ("epoch", "training", "held out", "rate", "seconds")


@dataclass(frozen=True, slots=True)
class Quality:
    """What the network in integers is worth on held-out games; losses are mean squared errors of expected results."""

    loss: float
    constant_loss: float
    score_loss: float
    result_loss: float
    mean_abs_cp: float
    mean_abs_score_cp: float
    correlation: float


@dataclass(frozen=True, slots=True)
class Setup:
    """What was asked for."""

    wanted: Filter
    settings: TrainingSettings
    command: str


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a network."""

    name: str
    generation: int
    setup: Setup
    files: tuple[FileCount, ...]
    training_positions: int
    held_out_positions: int
    duplicates: int
    batch: int
    epochs: tuple[Epoch, ...]
    quality: Quality
    positions_per_s: float
    seconds: float


def measure(network: Network, samples: Samples, label: Label) -> Quality:
    """Compare a network in integers with the labels of samples; `constant_loss` is that of the best constant."""
    views = king_views(network.meta.mirrored, network.meta.king_buckets)
    output_cp = network_outputs(samples, dequantise(network), views) * SCALE
    expected, target = expected_result(output_cp, label.scale_cp), targets(samples, label)
    score_cp = samples["score_cp"].astype(np.float64)
    return Quality(
        loss=float(np.mean((expected - target) ** 2)),
        constant_loss=float(np.var(target)),
        score_loss=float(np.mean((expected - expected_result(score_cp, label.scale_cp)) ** 2)),
        result_loss=float(np.mean((expected - samples["result"] / 2) ** 2)),
        mean_abs_cp=float(np.abs(output_cp).mean()),
        mean_abs_score_cp=float(np.abs(score_cp).mean()),
        correlation=float(np.corrcoef(output_cp, score_cp)[0, 1]),
    )


def make_report(network: Network, data: DataSet, setup: Setup, done: Training) -> Report:
    """The report of a network that has just been trained."""
    return Report(
        name=network.meta.name,
        generation=network.meta.generation,
        setup=setup,
        files=data.files,
        training_positions=len(data.training),
        held_out_positions=len(data.held_out),
        duplicates=data.duplicates,
        batch=done.batch,
        epochs=done.epochs,
        quality=measure(network, data.held_out, setup.settings.label),
        positions_per_s=done.positions * len(done.epochs) / max(done.seconds, 1e-9),
        seconds=done.seconds,
    )


def write_report(report: Report, network_path: Path) -> None:
    """Write the report beside the network, as .json and .md."""
    text = json.dumps(asdict(report), indent=1) + "\n"
    network_path.with_suffix(".json").write_text(text, encoding="utf-8")
    network_path.with_suffix(".md").write_text(page(report), encoding="utf-8")


def page(report: Report) -> str:
    """The report as Markdown."""
    settings = {**asdict(report.setup.settings), "batch": report.batch}
    sections = [
        [f"# Network {report.name} (generation {report.generation})"],
        [f"Trained in {report.seconds:.0f} s ({report.positions_per_s:,.0f} positions/s) by"],
        [f"    {report.setup.command}"],
        ["## Data"],
        _table(FILE_HEAD, [_file_row(file) for file in (*report.files, total(report.files))]),
        [_data_text(report)],
        ["## Settings"],
        [", ".join(f"{name} {value}" for name, value in settings.items()) + "."],
        ["## Held-out games, network in integers"],
        _table(("measure", "value"), [(name, f"{value:.6g}") for name, value in asdict(report.quality).items()]),
        ["## Losses"],
        _table(EPOCH_HEAD, [_epoch_row(epoch) for epoch in report.epochs]),
    ]
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _data_text(report: Report) -> str:
    wanted = report.setup.wanted
    return (
        f"{report.training_positions:,} positions to train on, {report.held_out_positions:,} of other games held out, "
        f"{report.duplicates:,} duplicates left out. Kept: not in check, no capture or promotion played, "
        f"|score| <= {wanted.max_score_cp} cp, from ply {wanted.min_ply}. Share of the next ply's label in a label: "
        f"{wanted.td_lambda:g}."
    )


def _file_row(file: FileCount) -> tuple[str, ...]:
    return file.name, f"{file.games:,}", f"{file.plies:,}", f"{file.positions:,}"


def _epoch_row(epoch: Epoch) -> tuple[str, ...]:
    losses = f"{epoch.training_loss:.6f}", f"{epoch.held_out_loss:.6f}"
    return str(epoch.number), *losses, f"{epoch.learning_rate:.2e}", f"{epoch.seconds:.1f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
