"""Training: it learns what is there to learn, and repeats itself bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine88.evaluation.network.layout import BLACK_FLIP
from engine88.evaluation.network.network_file import FEATURES, QA, NetworkMeta
from engine88.training.network_trainer.checkpoint import Checkpoint, Epoch
from engine88.training.network_trainer.layers import dequantise, quantise, random_layers
from engine88.training.network_trainer.trainer import (
    TrainingSettings,
    batch_size,
    cosine_rate,
    mean_loss,
    targets,
    train,
)
from engine88.training.positions import DataSet, Samples
from tests.engine88.training.twin import inputs, some_samples

VALUES_CP = np.array([100, 300, 300, 500, 900, 0])
TINY = TrainingSettings(width=8, epochs=12, batch=64, learning_rate=1e-2, wdl=0.0, decay=0.01)


def material_data(folder: Path) -> DataSet:
    """Random games whose scores are the material, and so can be learnt."""
    samples = some_samples(folder, games=60)
    own, _ = inputs(samples)
    counts = own.reshape(len(samples), 2, 6, 64).sum(axis=3)
    samples["score_cp"] = (counts[:, 0] - counts[:, 1]) @ VALUES_CP
    samples = samples[np.random.default_rng(1).permutation(len(samples))]  # so that both parts are alike
    split = len(samples) * 9 // 10
    return DataSet(samples[:split], samples[split:], (), 0)


@pytest.fixture(name="data", scope="module")
def _data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    return material_data(tmp_path_factory.mktemp("games"))


def test_material_is_learnt(data: DataSet) -> None:
    told: list[Epoch] = []
    done = train(data, TINY, told.append)
    constant = float(np.var(targets(data.held_out, TINY.label)))
    assert done.epochs[-1].held_out_loss < constant / 5
    assert done.epochs == tuple(told)
    assert done.epochs[-1].learning_rate == pytest.approx(TINY.last_rate)


def test_the_layers_are_those_of_the_last_epoch_even_if_what_is_held_out_gets_worse(data: DataSet) -> None:
    held_out = data.held_out.copy()
    held_out["score_cp"] *= -1
    done = train(replace(data, held_out=held_out), replace(TINY, epochs=4))
    assert done.epochs[0].held_out_loss < done.epochs[-1].held_out_loss
    assert mean_loss(held_out, done.layers, TINY) == pytest.approx(done.epochs[-1].held_out_loss, rel=1e-6)


def test_the_layers_are_those_that_the_engine_computes_with(data: DataSet) -> None:
    done = train(data, replace(TINY, epochs=4))
    as_played = dequantise(quantise(done.layers, NetworkMeta("test", TINY.width, True)))
    assert mean_loss(data.held_out, as_played, TINY) == pytest.approx(done.epochs[-1].held_out_loss, rel=1e-6)


def test_rounding_loses_no_step_however_small(data: DataSet) -> None:
    """The steps of an epoch are far smaller than what the engine's integers can tell apart; together they count."""
    slow = replace(TINY, learning_rate=2e-4, last_rate=2e-4)
    short, long = (train(data, replace(slow, epochs=epochs)).layers.feature_weights for epochs in (1, 12))
    assert np.count_nonzero(short != long) > short.size / 10


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_bits(data: DataSet, threads: int) -> None:
    settings = replace(TINY, epochs=2, threads=threads)
    first, again = train(data, settings), train(data, settings)
    for one, two in zip(first.layers, again.layers, strict=True):
        assert one.tobytes() == two.tobytes()
    other = train(data, replace(settings, seed=2))
    assert other.layers.feature_weights.tobytes() != first.layers.feature_weights.tobytes()


def stop_after(number: int) -> Callable[[Epoch], None]:
    """What a training calls after each epoch; this one ends it."""

    def tell(epoch: Epoch) -> None:
        if epoch.number == number:
            raise KeyboardInterrupt

    return tell


def test_an_interrupted_training_goes_on_with_the_same_bits(data: DataSet, tmp_path: Path) -> None:
    settings, checkpoint = replace(TINY, epochs=4, king_buckets=4), Checkpoint(tmp_path / "a.npz", "this one")
    whole = train(data, settings)
    for number in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            train(data, settings, stop_after(number), checkpoint=checkpoint)
    told: list[Epoch] = []
    continued = train(data, settings, told.append, checkpoint=checkpoint)
    assert continued.epochs == tuple(told)
    losses = [[(epoch.number, epoch.training_loss) for epoch in done.epochs] for done in (whole, continued)]
    assert losses[0] == losses[1]
    for one, two in zip(whole.layers, continued.layers, strict=True):
        assert one.tobytes() == two.tobytes()


def test_a_checkpoint_of_another_training_is_refused(data: DataSet, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    train(data, replace(TINY, epochs=1), checkpoint=Checkpoint(path, "this one"))
    with pytest.raises(ValueError, match=r"a\.npz: left by another training; remove it"):
        train(data, TINY, checkpoint=Checkpoint(path, "another"))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"a\.npz: no readable checkpoint"):
        train(data, TINY, checkpoint=Checkpoint(path, "this one"))


def test_two_threads_learn_the_same(data: DataSet) -> None:
    one, two = (train(data, replace(TINY, epochs=2, threads=threads)) for threads in (1, 2))
    np.testing.assert_allclose(one.layers.feature_weights, two.layers.feature_weights, atol=2)


def test_a_king_bucket_without_positions_learns_from_the_others(data: DataSet) -> None:
    settings = replace(TINY, king_buckets=4, epochs=4)
    used = settings.views // 2
    seen = (used[data.training["own_king"]] != 3) & (used[data.training["other_king"] ^ BLACK_FLIP] != 3)
    assert 0 < seen.sum() < len(seen)
    done = train(replace(data, training=data.training[seen]), settings)
    others, unseen = np.split(done.layers.feature_weights, [-FEATURES])
    start = random_layers(TINY.width, np.random.default_rng(TINY.seed), 4)
    moved = (unseen - start.feature_weights[-FEATURES:]) / QA
    assert np.abs(moved).max() > 0.1
    first = (others[:FEATURES] - start.feature_weights[:FEATURES]) / QA
    assert np.corrcoef(moved.ravel(), first.ravel())[0, 1] > 0.5


def test_too_little_data_is_an_error(data: DataSet) -> None:
    nothing: Samples = data.held_out[:0]
    with pytest.raises(ValueError, match="0 held out are too few"):
        train(DataSet(data.training, nothing, (), 0), TINY)


def test_rates_and_batches() -> None:
    settings = TrainingSettings()
    assert [cosine_rate(settings, at) for at in (0.0, 0.5, 1.0)] == pytest.approx([1e-3, 5.15e-4, 3e-5])
    assert [batch_size(settings, count) for count in (900_000, 1_000_000)] == [8192, 16_384]
    assert batch_size(replace(settings, batch=100), 6_000_000) == 100


def test_random_layers_have_their_spread() -> None:
    layers = random_layers(64, np.random.default_rng(1))
    assert layers.feature_weights.std() / QA == pytest.approx(np.sqrt(2 / 768), rel=0.02)
    assert not layers.feature_bias.any()
