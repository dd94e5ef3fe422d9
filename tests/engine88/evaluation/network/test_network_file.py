"""The file of a network: what is written is read again; anything else is one clear error that names the file."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine88.evaluation.network.network_file import (
    ARRAYS,
    HIDDEN,
    OUTPUT_BUCKETS,
    Network,
    NetworkFileError,
    NetworkMeta,
    read_network,
    write_network,
)

WIDTH = 4


def some_network(**changes: Any) -> Network:
    generator = np.random.default_rng(1)
    network = Network(
        generator.integers(-500, 500, (768, WIDTH)).astype(np.int16),
        generator.integers(-500, 500, WIDTH).astype(np.int16),
        generator.integers(-127, 128, (OUTPUT_BUCKETS, HIDDEN, WIDTH)).astype(np.int16),
        generator.integers(-2000, 2000, (OUTPUT_BUCKETS, HIDDEN)).astype(np.int32),
        generator.integers(-8191, 8192, (OUTPUT_BUCKETS, 2 * (HIDDEN - 1))).astype(np.int16),
        generator.integers(-70_000, 70_000, OUTPUT_BUCKETS).astype(np.int32),
        NetworkMeta("some", WIDTH, True, "three games", 5, 2),
    )
    return replace(network, **changes)


def test_a_network_comes_back_as_written(tmp_path: Path) -> None:
    path, network = tmp_path / "some.npz", some_network()
    write_network(path, network)
    read = read_network(path)
    assert read.meta == network.meta
    for name in ARRAYS:
        assert getattr(read, name).dtype == getattr(network, name).dtype
        np.testing.assert_array_equal(getattr(read, name), getattr(network, name))
    assert [entry.name for entry in tmp_path.iterdir()] == ["some.npz"]


@pytest.mark.parametrize("older", [1, 2, 3])
def test_an_older_file_is_refused(tmp_path: Path, older: int) -> None:
    path, network = tmp_path / "old.npz", some_network()
    meta = json.dumps(asdict(network.meta) | {"format": older})
    np.savez_compressed(path, meta=np.array(meta), **{name: getattr(network, name) for name in ARRAYS})
    with pytest.raises(NetworkFileError, match=rf"old\.npz: network of format {older}, this engine reads 4; take"):
        read_network(path)


def test_the_same_network_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        write_network(tmp_path / name, some_network())
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NetworkFileError, match=r"gone\.npz: no such network file; give the path"):
        read_network(tmp_path / "gone.npz")


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.99])
def test_a_torn_file_is_named(tmp_path: Path, keep: float) -> None:
    path = tmp_path / "torn.npz"
    write_network(path, some_network())
    data = path.read_bytes()
    path.write_bytes(data[: keep if isinstance(keep, int) else int(len(data) * keep)])
    with pytest.raises(NetworkFileError, match=r"torn\.npz: .*; train or fetch the network again"):
        read_network(path)


def test_every_changed_byte_is_harmless_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "flipped.npz"
    write_network(path, some_network())
    data = path.read_bytes()
    errors = 0
    for at in range(0, len(data), 37):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            read_network(path)
        except NetworkFileError:
            errors += 1
    assert errors > 50


@pytest.mark.parametrize("content", [b"no archive", b"\x93NUMPY\x01\x00"])
def test_another_kind_of_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(NetworkFileError, match=r"other\.npz: "):
        read_network(path)
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(NetworkFileError, match=r"array\.npy: "):
        read_network(tmp_path / "array.npy")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"feature_weights": np.zeros((767, WIDTH), np.int16)}, r"feature_weights is int16 \(767, 4\)"),
        ({"feature_bias": np.zeros(WIDTH, np.int32)}, r"feature_bias is int32 \(4,\), should be int16"),
        ({"output_bias": np.zeros(1, np.int32)}, r"output_bias is int32 \(1,\), should be int32 \(8,\)"),
        ({"hidden_weights": np.full((8, HIDDEN, WIDTH), 128, np.int16)}, "hidden_weights has one beyond 127"),
        ({"hidden_weights": np.full((8, HIDDEN, WIDTH), -32768, np.int16)}, "hidden_weights has one beyond 127"),
        ({"output_weights": np.full((8, 2 * (HIDDEN - 1)), 8192, np.int16)}, "output_weights has one beyond 8191"),
        ({"meta": NetworkMeta("some", 3, True)}, "3 neurons, should be an even number"),
        ({"meta": NetworkMeta("some", WIDTH, True, qa=181)}, "quantised by 181/64/400"),
        ({"meta": NetworkMeta("some", WIDTH, True, king_buckets=4)}, r"should be int16 \(3072, 4\)"),
        ({"meta": NetworkMeta("some", WIDTH, True, king_buckets=3)}, r"3 king buckets, should be one of \(1, 4, 8\)"),
    ],
)
def test_a_network_of_other_shape_is_not_written(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(NetworkFileError, match=problem):
        write_network(tmp_path / "bad.npz", some_network(**changes))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("meta", ["[]", "{}", "5", "not json", '{"format": 5}', '{"format": 4, "name": "x"}'])
def test_a_broken_description_is_named(tmp_path: Path, meta: str) -> None:
    path, network = tmp_path / "meta.npz", some_network()
    arrays = {name: getattr(network, name) for name in ARRAYS}
    np.savez_compressed(path, meta=np.array(meta), **arrays)
    with pytest.raises(NetworkFileError, match=r"meta\.npz: "):
        read_network(path)


def test_an_absent_array_is_named(tmp_path: Path) -> None:
    network = some_network()
    meta = np.array(json.dumps(asdict(network.meta)))
    np.savez_compressed(tmp_path / "less.npz", feature_weights=network.feature_weights, meta=meta)
    with pytest.raises(NetworkFileError, match=r"less\.npz: holds no 'feature_bias'"):
        read_network(tmp_path / "less.npz")
