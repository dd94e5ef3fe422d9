"""The network of a run: which one it is, and that it can be used, is known before anything is played."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.training.selfplay.shared_network import SharedNetwork, share_network


def test_a_network_arrives_as_it_was_sent() -> None:
    shared = share_network("default")
    arrived: SharedNetwork = pickle.loads(pickle.dumps(shared))
    assert arrived == shared
    assert hash(arrived) == hash(shared)
    loaded, usual = arrived.loaded(), load_network(DEFAULT_FILE)
    assert loaded is not None
    assert loaded.memory.array.tobytes() == usual.memory.array.tobytes()
    assert loaded.output_bias == usual.output_bias


def test_none_is_the_hand_written_terms() -> None:
    assert share_network("none").loaded() is None
    assert share_network("none") != share_network("default")


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(b"junk")
    with pytest.raises(NetworkFileError, match=r"broken\.npz"):
        share_network(str(path))
