"""Gradients against the chain rule on dense matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine88.evaluation.network.layout import king_views
from engine88.evaluation.network.network_file import OUTPUT_BUCKETS, QA
from engine88.training.network_trainer.gradient import Label, add_gradient, outputs
from engine88.training.network_trainer.layers import Layers, random_layers
from engine88.training.positions import Samples
from tests.engine88.training.twin import (
    Matrix,
    activated,
    buckets,
    expected,
    forward,
    hidden,
    inputs,
    loss,
    no_gradient,
    products,
    scaled,
    some_samples,
    target,
)

WIDTH = 6
LABEL = Label(0.3, 250.0)
POWER = 1.6
VIEWS = king_views(mirrored=False, king_buckets=1)


@pytest.fixture(name="samples")
def _samples(tmp_path: Path) -> Samples:
    samples = some_samples(tmp_path)
    samples["result"][::5] = 3  # no result is known
    return samples


def lively_layers() -> Layers:
    """Layers whose neurons are below zero, between, and above one, in both layers."""
    generator = np.random.default_rng(7)
    layers = scaled(random_layers(WIDTH, generator), 4)
    layers.feature_bias[:] = generator.normal(0.3, 0.3, WIDTH) * QA
    layers.hidden_weights[:] += generator.normal(0, 1.5, layers.hidden_weights.shape)
    layers.hidden_bias[:] = generator.normal(0, 0.3, layers.hidden_bias.shape)
    layers.output_weights[:] += generator.normal(0, 0.5, layers.output_weights.shape)
    layers.output_bias[:] = generator.normal(0, 0.2, OUTPUT_BUCKETS)
    return layers


def textbook_gradient(samples: Samples, layers: Layers, label: Label, power: float) -> list[Matrix]:
    """Gradient of the summed loss for each array of the layers, by the chain rule on dense matrices."""
    result, bucket = expected(samples, layers, label), buckets(samples)
    error = result - target(samples, label)
    error_slope = power * np.abs(error) ** (power - 1) * np.sign(error)
    slope = (error_slope * result * (1 - result) * 400 / label.scale_cp)[:, None]
    gradient = [np.zeros(array.shape) for array in layers]
    weights, bias, hidden_weights, hidden_bias, output_weights, output_bias = gradient
    np.add.at(output_bias, bucket, slope[:, 0])
    sums = hidden(samples, layers)
    np.add.at(output_weights, bucket, slope * activated(sums))
    clipped, squared = np.split(slope * layers.output_weights[bucket], 2, axis=1)
    inner = sums[:, :-1]
    inner_slopes = clipped * ((inner > 0) & (inner < 1)) + squared * 2 * inner * (np.abs(inner) < 1)
    slopes = np.concatenate([inner_slopes, slope], axis=1)
    np.add.at(hidden_bias, bucket, slopes)
    halves, multiplied = products(samples, layers)
    np.add.at(hidden_weights, bucket, slopes[:, :, None] * multiplied[:, None, :])
    back = np.einsum("nh,nhw->nw", slopes, layers.hidden_weights[bucket]).reshape(len(samples), 2, 1, -1)
    deltas = back * np.clip(halves[:, :, ::-1], 0, 1) * ((halves > 0) & (halves < 1))
    for one_hot, delta in zip(inputs(samples), deltas.reshape(len(samples), 2, WIDTH).swapaxes(0, 1), strict=True):
        weights += one_hot.T @ delta
        bias += delta.sum(axis=0)
    return gradient


def test_outputs_agree(samples: Samples) -> None:
    layers = lively_layers()
    out = np.empty(len(samples), np.float32)
    outputs(samples, VIEWS, layers, out)
    assert np.abs(out).max() > 0.5
    np.testing.assert_allclose(out, forward(samples, layers), atol=2e-5)


@pytest.mark.parametrize(
    ("label", "power"), [(Label(0.0, 400.0), 2.0), (Label(0.3, 170.0), 1.3), (Label(1.0, 400.0), 2.5)]
)
def test_the_gradient_agrees(samples: Samples, label: Label, power: float) -> None:
    layers = lively_layers()
    gradient = no_gradient(layers)
    summed = add_gradient(samples, VIEWS, label, power, layers, gradient)
    assert summed == pytest.approx(loss(samples, layers, label, 2), rel=1e-5)
    for mine, textbook in zip(gradient, textbook_gradient(samples, layers, label, power), strict=True):
        assert np.abs(textbook).max() > 0.01
        np.testing.assert_allclose(mine, textbook, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(("field", "at"), [(2, (7, 0, 0)), (2, (6, 7, 3)), (3, (6, 1)), (4, (7, 0)), (4, (6, 9))])
def test_the_textbook_gradient_is_the_slope_of_the_loss(samples: Samples, field: int, at: tuple[int, ...]) -> None:
    layers = lively_layers()
    textbook = textbook_gradient(samples, layers, LABEL, POWER)[field]
    step = np.float32(1 / 128)
    layers[field][at] += step
    above = loss(samples, layers, LABEL, POWER)
    layers[field][at] -= 2 * step
    below = loss(samples, layers, LABEL, POWER)
    assert (above - below) / (2 * step) == pytest.approx(textbook[at], rel=1e-2)


def test_the_gradient_is_added(samples: Samples) -> None:
    layers = lively_layers()
    once, twice = no_gradient(layers), no_gradient(layers)
    add_gradient(samples, VIEWS, LABEL, POWER, layers, once)
    for _ in range(2):
        add_gradient(samples, VIEWS, LABEL, POWER, layers, twice)
    for two, one in zip(twice, once, strict=True):
        np.testing.assert_allclose(two, 2 * one, rtol=1e-3, atol=1e-4)
