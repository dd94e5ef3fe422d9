"""Gradients against the chain rule on dense matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine88.evaluation.network.layout import king_views
from engine88.evaluation.network.network_file import OUTPUT_BUCKETS
from engine88.training.network_trainer.gradient import Label, add_gradient, outputs
from engine88.training.network_trainer.layers import Layers, random_layers
from engine88.training.positions import Samples
from tests.engine88.training.twin import buckets, expected, forward, inputs, loss, scaled, some_samples, target

WIDTH = 5
LABEL = Label(0.3, 250.0)
VIEWS = king_views(mirrored=False, king_buckets=1)


@pytest.fixture(name="samples")
def _samples(tmp_path: Path) -> Samples:
    samples = some_samples(tmp_path)
    samples["result"][::5] = 3  # no result is known
    return samples


def lively_layers() -> Layers:
    """Layers whose neurons are below zero, between, and above one."""
    generator = np.random.default_rng(7)
    layers = scaled(random_layers(WIDTH, generator), 4)
    layers.feature_bias[:] = generator.normal(0.3, 0.3, WIDTH)
    layers.output_weights[:] += generator.normal(0, 0.5, layers.output_weights.shape)
    layers.output_bias[:] = generator.normal(0, 0.2, OUTPUT_BUCKETS)
    return layers


def textbook_gradient(
    samples: Samples, layers: Layers, label: Label
) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Gradient of the summed loss for each array of the layers, by the chain rule on dense matrices."""
    result = expected(samples, layers, label)
    slope = 2 * (result - target(samples, label)) * result * (1 - result) * 400 / label.scale_cp
    weights, bias = np.zeros((768, WIDTH)), np.zeros(WIDTH)
    output_weights, output_bias = np.zeros((OUTPUT_BUCKETS, 2, WIDTH)), np.zeros(OUTPUT_BUCKETS)
    bucket = buckets(samples)
    np.add.at(output_bias, bucket, slope)
    for side, one_hot in enumerate(inputs(samples)):
        hidden = one_hot @ layers.feature_weights.astype(np.float64) + layers.feature_bias
        active = np.clip(hidden, 0, 1)
        np.add.at(output_weights[:, side], bucket, slope[:, None] * active**2)
        delta = slope[:, None] * layers.output_weights[bucket, side] * 2 * active * (hidden < 1)
        weights += one_hot.T @ delta
        bias += delta.sum(axis=0)
    return [weights, bias, output_weights, output_bias]


def test_outputs_agree(samples: Samples) -> None:
    layers = lively_layers()
    out = np.empty(len(samples), np.float32)
    outputs(samples, VIEWS, layers, out)
    assert np.abs(out).max() > 0.5
    np.testing.assert_allclose(out, forward(samples, layers), atol=2e-5)


@pytest.mark.parametrize("label", [Label(0.0, 400.0), Label(0.3, 170.0), Label(1.0, 400.0)])
def test_the_gradient_agrees(samples: Samples, label: Label) -> None:
    layers = lively_layers()
    gradient = scaled(layers, 0)
    summed = add_gradient(samples, VIEWS, label, layers, gradient)
    assert summed == pytest.approx(loss(samples, layers, label), rel=1e-5)
    for mine, textbook in zip(gradient, textbook_gradient(samples, layers, label), strict=True):
        assert np.abs(textbook).max() > 0.01
        np.testing.assert_allclose(mine, textbook, rtol=1e-3, atol=1e-4)


def test_the_textbook_gradient_is_the_slope_of_the_loss(samples: Samples) -> None:
    layers = lively_layers()
    textbook = textbook_gradient(samples, layers, LABEL)[2]
    for at in ((7, 0, 0), (6, 1, 3)):
        step = np.float32(1 / 128)
        layers.output_weights[at] += step
        above = loss(samples, layers, LABEL)
        layers.output_weights[at] -= 2 * step
        below = loss(samples, layers, LABEL)
        layers.output_weights[at] += step
        assert (above - below) / (2 * step) == pytest.approx(textbook[at], rel=1e-2)


def test_the_gradient_is_added(samples: Samples) -> None:
    layers = lively_layers()
    once, twice = scaled(layers, 0), scaled(layers, 0)
    add_gradient(samples, VIEWS, LABEL, layers, once)
    for _ in range(2):
        add_gradient(samples, VIEWS, LABEL, layers, twice)
    for two, one in zip(twice, once, strict=True):
        np.testing.assert_allclose(two, 2 * one, rtol=1e-3, atol=1e-4)
