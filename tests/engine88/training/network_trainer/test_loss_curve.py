"""The picture of the losses: drawn where matplotlib is, left out where it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine88.training.network_trainer.loss_curve import draw_losses
from engine88.training.network_trainer.trainer import Epoch

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
