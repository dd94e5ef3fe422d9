"""Rounding to integers: bounds, shapes, and how little the output changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine88.evaluation.network.network_file import NetworkMeta
from engine88.training.network_trainer.layers import (
    MAX_WEIGHT,
    dequantise,
    layers_of,
    quantise,
    random_parameters,
    widened,
)
from engine88.training.network_trainer.trainer import network_outputs
from tests.engine88.training.twin import some_samples

META = NetworkMeta("test", 16, True)


def test_the_largest_weights_fit() -> None:
    vector = random_parameters(16, np.random.default_rng(1))
    vector[:] = MAX_WEIGHT
    network = quantise(layers_of(vector, 16), META)
    assert network.output_weights.max() == 127
    assert network.feature_weights.max() == 505
    assert network.output_bias == round(np.float32(1.98) * 255 * 64)
    vector[:] = -3.0
    assert quantise(layers_of(vector, 16), META).output_weights.min() == -127
    assert np.iinfo(np.int16).max > 32 * 505 + 505


def test_rounding_changes_little(tmp_path: Path) -> None:
    samples = some_samples(tmp_path)
    layers = layers_of(random_parameters(16, np.random.default_rng(1)) * np.float32(3), 16)
    before = network_outputs(samples, layers, True)
    after = network_outputs(samples, dequantise(quantise(layers, META)), True)
    assert np.abs(before).max() > 0.3
    assert 0 < np.abs(before - after).max() < 0.1


def test_wider_layers_know_what_the_narrower_knew(tmp_path: Path) -> None:
    samples, generator = some_samples(tmp_path), np.random.default_rng(1)
    layers = layers_of(random_parameters(16, generator), 16)
    layers.output_bias[:] = 0.25
    wider = widened(layers, 24, generator)
    assert wider.feature_weights.shape == (768, 24)
    assert wider.feature_weights[:, 16:].std() > 0
    known, now = (network_outputs(samples, one, True) for one in (layers, wider))
    np.testing.assert_allclose(now, known, atol=1e-5)
