"""A network in memory as the kernels read it: one block of 16-bit integers that all threads share."""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine88.board.squares import SQUARES, to_64
from engine88.compiler.memory import Words, aligned_words
from engine88.contract import DEFAULT_NETWORK
from engine88.evaluation.network.layout import (
    BIAS_ROW,
    BLACK_FLIP,
    BLOCK,
    FEATURE_ROW,
    HIDDEN_ROW,
    MOST_WIDTH,
    VIEWS,
    NetworkState,
    king_views,
)
from engine88.evaluation.network.network_file import Network, NetworkFileError, NetworkMeta, read_network

DEFAULT_FILE = Path(__file__).resolve().parent / "networks" / "g16-512.npz"


def network_file(name: str) -> Path:
    """Return the file that a name stands for: a path, or `default` for the network that comes with the engine."""
    return DEFAULT_FILE if name == DEFAULT_NETWORK else Path(name)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedNetwork:
    """A network ready for use; `memory` must live as long as any search state that it is given to."""

    meta: NetworkMeta
    hidden_bias: NDArray[np.int32]
    output_weights: NDArray[np.int16]
    output_bias: NDArray[np.int32]
    memory: Words

    def give_to(self, state: NetworkState) -> None:
        """Let a search thread's state evaluate by this network; its accumulators are reset."""
        width = _padded(self.meta.width)
        state.address = self.memory.address
        for name in ("hidden_bias", "output_weights", "output_bias"):
            state[name][:] = getattr(self, name)
        state.width = width
        views = king_views(self.meta.mirrored, self.meta.king_buckets)
        for square in SQUARES:
            state["views"][:, square] = views[to_64(square)], views[to_64(square) ^ BLACK_FLIP]
        state["keys"].fill(0)
        state["cached_squares"].fill(0)
        state["cached"][: 2 * VIEWS * width] = np.tile(_rows(self.memory, width)[BIAS_ROW], 2 * VIEWS)


@functools.cache
def load_network(path: Path) -> LoadedNetwork:
    """Read a network file; raises NetworkFileError for one that is absent, damaged, or not for this engine."""
    network = read_network(path)
    if network.meta.width > MOST_WIDTH:
        raise NetworkFileError(
            f"{path}: {network.meta.width} neurons, and this engine has room for {MOST_WIDTH}; train a narrower network"
        )
    return lay_out(network)


def lay_out(network: Network) -> LoadedNetwork:
    """Lay the weights out in memory as in `layout`, the halves of the neurons padded with zeros to half-blocks."""
    width = _padded(network.meta.width)
    memory = aligned_words((FEATURE_ROW + len(network.feature_weights)) * width // 4)
    rows = _rows(memory, width)
    rows[BIAS_ROW] = _spread(network.feature_bias, width)
    rows[HIDDEN_ROW:FEATURE_ROW] = _spread(network.hidden_weights, width).reshape(-1, width)
    rows[FEATURE_ROW:] = _spread(network.feature_weights, width)
    return LoadedNetwork(network.meta, network.hidden_bias, network.output_weights, network.output_bias, memory)


def _spread(values: NDArray[np.int16], width: int) -> NDArray[np.int16]:
    """The values [..., neuron] with zeros after each half of the neurons."""
    halves = values.reshape(*values.shape[:-1], 2, -1)
    padded = np.zeros((*halves.shape[:-1], width // 2), np.int16)
    padded[..., : halves.shape[-1]] = halves
    return padded.reshape(*values.shape[:-1], width)


def _rows(memory: Words, width: int) -> NDArray[np.int16]:
    return memory.array.view(np.int16).reshape(-1, width)


def _padded(width: int) -> int:
    return -(-width // BLOCK) * BLOCK
