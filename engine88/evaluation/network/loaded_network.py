"""A network in memory as the kernels read it: one block of 16-bit integers that all threads share."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine88.compiler.memory import Words, aligned_words
from engine88.evaluation.network.layout import BIAS_ROW, OUTPUT_ROW, WEIGHT_COUNT, WIDTH
from engine88.evaluation.network.network_file import Network, NetworkFileError, NetworkMeta, read_network
from engine88.evaluation.network.network_state import NetworkState

DEFAULT_FILE = Path(__file__).resolve().parent / "networks" / "net6-128.npz"


@dataclass(frozen=True, slots=True, eq=False)
class LoadedNetwork:
    """A network ready for use; `memory` must live as long as any search state that it is given to."""

    meta: NetworkMeta
    output_bias: int
    memory: Words

    def give_to(self, state: NetworkState) -> None:
        """Let a search thread's state evaluate by this network; its accumulators start anew."""
        state.address = self.memory.address
        state.output_bias = self.output_bias
        state["keys"].fill(0)
        state["cached_squares"].fill(0)
        state["cached"][:] = self._weights()[BIAS_ROW:OUTPUT_ROW]

    def _weights(self) -> np.ndarray[Any, np.dtype[np.int16]]:
        return self.memory.array.view(np.int16)


@functools.cache
def load_network(path: Path) -> LoadedNetwork:
    """Read a network file; raises NetworkFileError for one that is absent, damaged, or not for this engine."""
    network = read_network(path)
    if network.meta.width > WIDTH:
        raise NetworkFileError(
            f"{path}: {network.meta.width} neurons, and this engine has room for {WIDTH}; train a narrower network"
        )
    if not network.meta.mirrored:
        raise NetworkFileError(f"{path}: the network was trained without mirroring; train it with mirroring")
    return lay_out(network)


def lay_out(network: Network) -> LoadedNetwork:
    """Lay the weights out in memory as in `layout`, padded with zeros to the engine's width."""
    memory = aligned_words(-(-WEIGHT_COUNT // 4))
    weights = memory.array.view(np.int16)
    width = network.meta.width
    weights[:BIAS_ROW].reshape(-1, WIDTH)[:, :width] = network.feature_weights
    weights[BIAS_ROW : BIAS_ROW + width] = network.feature_bias
    weights[OUTPUT_ROW:WEIGHT_COUNT].reshape(2, WIDTH)[:, :width] = network.output_weights
    return LoadedNetwork(network.meta, network.output_bias, memory)


def no_network(state: NetworkState) -> None:
    """Let a search thread's state evaluate by the hand-written terms."""
    state.address = 0
