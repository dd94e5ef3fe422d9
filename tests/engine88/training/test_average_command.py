"""`python -m engine88.training average`: the mean of networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine88.evaluation.network.network_file import NetworkMeta, read_network, write_network
from engine88.training.__main__ import main
from engine88.training.network_trainer.layers import quantise, random_layers


def network(path: Path, seed: int, width: int = 8, *, mirrored: bool = True, king_buckets: int = 1) -> Path:
    layers = random_layers(width, np.random.default_rng(seed), king_buckets)
    layers.output_bias[:] = seed / 100
    write_network(path, quantise(layers, NetworkMeta(path.stem, width, mirrored, seed=seed, king_buckets=king_buckets)))
    return path


def test_each_parameter_is_the_mean(tmp_path: Path) -> None:
    paths = [network(tmp_path / f"{seed}.npz", seed) for seed in (3, 5, 8)]
    out = tmp_path / "nets" / "mean.npz"
    assert main(["average", *map(str, paths), "--out", str(out), "--generation", "6"]) == 0
    mean, parts = read_network(out), [read_network(path) for path in paths]
    for field in ("feature_weights", "feature_bias", "hidden_weights", "hidden_bias", "output_weights"):
        wanted = np.mean([getattr(part, field) for part in parts], axis=0)
        assert np.abs(getattr(mean, field) - wanted).max() <= 0.51, field
    np.testing.assert_allclose(mean.output_bias, np.mean([part.output_bias for part in parts], axis=0), atol=1)
    assert (mean.meta.name, mean.meta.generation, mean.meta.data) == ("mean", 6, "mean of 3, 5, 8")


def test_of_one_network_the_mean_is_itself(tmp_path: Path) -> None:
    only = network(tmp_path / "only.npz", 4)
    assert main(["average", str(only), "--out", str(tmp_path / "mean.npz"), "--name", "another"]) == 0
    mean = read_network(tmp_path / "mean.npz")
    assert np.array_equal(mean.feature_weights, read_network(only).feature_weights)
    assert mean.meta.name == "another"


@pytest.mark.parametrize(("width", "mirrored", "king_buckets"), [(16, True, 1), (8, False, 1), (8, True, 4)])
def test_strangers_have_no_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], width: int, mirrored: bool, king_buckets: int
) -> None:
    one = network(tmp_path / "a.npz", 1)
    other = network(tmp_path / "b.npz", 2, width, mirrored=mirrored, king_buckets=king_buckets)
    out = tmp_path / "mean.npz"
    assert main(["average", str(one), str(other), "--out", str(out)]) == 1
    assert f"average: {other}: its width, mirroring or king buckets are not those of {one}" in capsys.readouterr().err
    assert not out.exists()


def test_a_missing_network_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["average", str(tmp_path / "gone.npz"), "--out", str(tmp_path / "mean.npz")]) == 1
    assert "gone.npz: no such network file" in capsys.readouterr().err
