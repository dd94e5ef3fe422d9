"""The report of a training run and its loss curve."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from engine88.evaluation.network.network_file import Network, NetworkMeta
from engine88.training.network_trainer.checkpoint import Epoch
from engine88.training.network_trainer.gradient import Label
from engine88.training.network_trainer.layers import dequantise, quantise, random_layers
from engine88.training.network_trainer.train_report import Quality, Setup, draw_losses, make_report, measure, page
from engine88.training.network_trainer.trainer import Training, TrainingSettings
from engine88.training.positions import DataSet, FileCount, Filter
from tests.engine88.training.twin import forward, some_samples, target

EPOCHS = [Epoch(1, 0.03, 0.02, 1e-3, 1.0), Epoch(2, 0.015, 0.018, 5e-4, 1.0), Epoch(3, 0.01, 0.019, 3e-5, 1.0)]


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "losses.png"
    assert draw_losses(path, "Network test", EPOCHS)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert not draw_losses(tmp_path / "losses.png", "Network test", EPOCHS)
    assert not list(tmp_path.iterdir())


LABEL = Label(0.25, 180.0)
LAYERS = random_layers(8, np.random.default_rng(3))
NETWORK: Network = quantise(LAYERS, NetworkMeta("tiny", 8, False, generation=4))


def test_measures_are_those_of_a_calculation_by_hand(tmp_path: Path) -> None:
    samples = some_samples(tmp_path, games=6)
    samples["score_cp"] = np.random.default_rng(5).integers(-300, 300, len(samples))
    found = measure(NETWORK, samples, LABEL)
    output_cp = forward(samples, dequantise(NETWORK)) * 400
    scores = samples["score_cp"].astype(float)

    def chance(cp: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-cp / LABEL.scale_cp)))

    wanted = Quality(
        loss=float(np.mean((chance(output_cp) - target(samples, LABEL)) ** 2)),
        constant_loss=float(np.var(target(samples, LABEL))),
        score_loss=float(np.mean((chance(output_cp) - chance(scores)) ** 2)),
        result_loss=float(np.mean((chance(output_cp) - samples["result"] / 2) ** 2)),
        mean_abs_cp=float(np.abs(output_cp).mean()),
        mean_abs_score_cp=float(np.abs(scores).mean()),
        correlation=float(np.corrcoef(output_cp, scores)[0, 1]),
    )
    for name in Quality.__slots__:
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), rel=1e-4), name


def epochs(*held_out: float) -> tuple[Epoch, ...]:
    return tuple(Epoch(number, 0.05, loss, 2e-3, 4.0) for number, loss in enumerate(held_out, 1))


def test_a_page_tells_where_a_network_comes_from(tmp_path: Path) -> None:
    samples = some_samples(tmp_path, games=6)
    files = (FileCount("a.games", 1200, 90_000, 51_000), FileCount("b.games", 800, 60_000, 40_000))
    data = DataSet(samples[:40], samples[40:60], files, 7)
    setup = Setup(
        Filter(4, 2000, td_lambda=0.6), TrainingSettings(width=8, wdl=0.25), "train a.games b.games --out tiny.npz"
    )
    done = Training(LAYERS, epochs(0.04, 0.03, 0.035), 40, 16)
    report = make_report(NETWORK, data, setup, done)
    assert (report.batch, report.seconds) == (16, 12.0)
    assert report.positions_per_s == 3 * 40 / 12.0
    assert (report.training_positions, report.held_out_positions, report.duplicates) == (40, 20, 7)
    told = page(report)
    for line in (
        "# Network tiny (generation 4)",
        "Trained in 12 s (10 positions/s) by\n\n    train a.games b.games --out tiny.npz",
        "| a.games | 1,200 | 90,000 | 51,000 |",
        "| 2,000 | 150,000 | 91,000 |",
        "40 positions to train on, 20 of other games held out, 7 duplicates left out.",
        "|score| <= 2000 cp, from ply 4. Share of the next ply's label in a label: 0.6.",
        "batch 16",
        "| 2 | 0.050000 | 0.030000 | 2.00e-03 | 4.0 |",
    ):
        assert line in told
