"""The trainer: epochs of shuffled batches, with a learning rate that falls as a cosine."""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.layout import BLACK_FLIP, king_views
from engine88.evaluation.network.network_file import KING_BUCKETS, SCALE
from engine88.training.network_trainer.checkpoint import Checkpoint, Epoch
from engine88.training.network_trainer.descent import Descent
from engine88.training.network_trainer.gradient import Label, add_gradient, outputs
from engine88.training.network_trainer.layers import Layers, random_layers
from engine88.training.positions import DataSet, Samples
from engine88.training.replay import NO_RESULT

SMALL_DATA: Final = 1_000_000
"""Fewer positions than this are trained in batches of half the size."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a network is trained; `batch` 0 chooses by the data's size."""

    width: int = 64
    mirrored: bool = True
    king_buckets: int = 1
    epochs: int = 20
    batch: int = 0
    learning_rate: float = 1e-3
    last_rate: float = 3e-5
    wdl: float = 0.0
    scale_cp: float = 200.0
    power: float = 1.4
    decay: float = 0.1
    threads: int = 1
    seed: int = 1

    @property
    def label(self) -> Label:
        """How labels are mixed."""
        return Label(self.wdl, self.scale_cp)

    @property
    def views(self) -> NDArray[np.uint8]:
        """How a side sees the board by the square of its king."""
        return king_views(self.mirrored, self.king_buckets)


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """What came out: the layers after the last epoch, the losses of all; positions and batch that were trained with."""

    layers: Layers
    epochs: tuple[Epoch, ...]
    positions: int
    batch: int

    @property
    def seconds(self) -> float:
        """Time spent training, without the measuring."""
        return sum(epoch.seconds for epoch in self.epochs)


def train(
    data: DataSet,
    settings: TrainingSettings,
    tell: Callable[[Epoch], None] = lambda _: None,
    start: Layers | None = None,
    checkpoint: Checkpoint | None = None,
) -> Training:
    """Train a network, from random parameters or those of `start`; `tell` is called after each epoch.

    With a checkpoint it continues after the last epoch that was kept there. The same seed, data and number of threads
    give the same bits, whether or not a training was interrupted.
    """
    if not len(data.training) or not len(data.held_out):
        sizes = f"{len(data.training)} positions and {len(data.held_out)} held out are too few to train on"
        raise ValueError(f"{sizes}: play more games, or change --held-out")
    generator = np.random.default_rng(settings.seed)
    first = random_layers(settings.width, generator, settings.king_buckets)
    descent = Descent(start or first, settings.king_buckets, settings.threads, settings.decay)
    epochs = checkpoint.load(descent) if checkpoint else []
    for epoch in epochs:
        generator.permutation(len(data.training))  # as that epoch drew it
        tell(epoch)
    with ThreadPoolExecutor(settings.threads) as pool:
        for number in range(len(epochs) + 1, settings.epochs + 1):
            epochs.append(_epoch(number, descent, data, settings, generator, pool))
            if checkpoint:
                checkpoint.save(descent, epochs)
            tell(epochs[-1])
    positions = len(data.training)
    return Training(descent.layers, tuple(epochs), positions, batch_size(settings, positions))


def _epoch(
    number: int,
    descent: Descent,
    data: DataSet,
    settings: TrainingSettings,
    generator: np.random.Generator,
    pool: Executor,
) -> Epoch:
    """One pass over the training samples in a new order, and the measuring after it."""
    began = time.monotonic()
    loss, rate = 0.0, 0.0
    views = settings.views

    def add(share: Samples, gradient: Layers) -> float:
        return add_gradient(share, views, settings.label, settings.power, descent.layers, gradient)

    order = generator.permutation(len(data.training))
    for batch, progress in _batches(data.training, order, batch_size(settings, len(order))):
        rate = cosine_rate(settings, (number - 1 + progress) / settings.epochs)
        shares = np.array_split(_by_sets(batch, views), settings.threads)
        loss += sum(pool.map(add, shares, descent.gradients))
        descent.step(len(batch), rate, pool)
    seconds = time.monotonic() - began
    held_out = mean_loss(data.held_out, descent.layers, settings)
    return Epoch(number, float(loss / len(order)), held_out, rate, seconds)  # in plain Python it is a numpy number


def _batches(samples: Samples, order: NDArray[np.int64], size: int) -> Iterator[tuple[Samples, float]]:
    """Yield shuffled batches with the share of the epoch that ends with each."""
    for first in range(0, len(order), size):
        chosen = order[first : first + size]
        yield samples[chosen], (first + len(chosen)) / len(order)


def _by_sets(batch: Samples, views: NDArray[np.uint8]) -> Samples:
    """The batch by the sets of weights that it uses, so that they stay in the processor's caches (+27 % of speed)."""
    own, other = views[batch["own_king"]] >> 1, views[batch["other_king"] ^ BLACK_FLIP] >> 1
    return batch[np.argsort(max(KING_BUCKETS) * own + other, kind="stable")]


def batch_size(settings: TrainingSettings, positions: int) -> int:
    """The batch of the settings, or one that fits the number of positions."""
    return settings.batch or (8192 if positions < SMALL_DATA else 16_384)


def cosine_rate(settings: TrainingSettings, progress: float) -> float:
    """The learning rate at a share (0 to 1) of the way."""
    span = settings.learning_rate - settings.last_rate
    return settings.last_rate + span * (1 + math.cos(math.pi * progress)) / 2


def network_outputs(samples: Samples, layers: Layers, views: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's output for each sample, in units of 400 centipawns."""
    out = np.empty(len(samples), np.float32)
    outputs(samples, views, layers, out)
    return out


def expected_result(scores_cp: NDArray[Any], scale_cp: float) -> NDArray[np.float64]:
    """Expected result, 0 to 1, of scores in centipawns."""
    return 1 / (1 + np.exp(-scores_cp.astype(np.float64) / scale_cp))


def targets(samples: Samples, label: Label) -> NDArray[np.float64]:
    """What the network is to predict: results and search scores, mixed."""
    score = expected_result(samples["score_cp"], label.scale_cp)
    mixed = label.wdl * samples["result"] / 2 + (1 - label.wdl) * score
    return np.where(samples["result"] == NO_RESULT, score, mixed)


def mean_loss(samples: Samples, layers: Layers, settings: TrainingSettings) -> float:
    """Mean squared error of a network on samples."""
    scores_cp = network_outputs(samples, layers, settings.views) * SCALE
    return float(np.mean((expected_result(scores_cp, settings.scale_cp) - targets(samples, settings.label)) ** 2))
