"""The network that a run plays with, as it is sent to the processes that play."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from engine88.contract import DEFAULT_NETWORK, NO_NETWORK
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, LoadedNetwork, lay_out, load_network
from engine88.evaluation.network.network_file import Network, read_network


@dataclass(frozen=True, slots=True)
class SharedNetwork:
    """A network in integers with its name and the SHA-256 of its file; no network: the hand-written terms."""

    name: str = NO_NETWORK
    digest: str = ""
    network: Network | None = field(default=None, compare=False, repr=False)

    def loaded(self) -> LoadedNetwork | None:
        """The network as the engine uses it."""
        return None if self.network is None else lay_out(self.network)


def share_network(name: str) -> SharedNetwork:
    """The network of a file, of the engine ("default"), or none; raises NetworkFileError for one it cannot use."""
    if name == NO_NETWORK:
        return SharedNetwork()
    path = DEFAULT_FILE if name == DEFAULT_NETWORK else Path(name)
    load_network(path)  # whatever is wrong with it is said here
    network = read_network(path)
    return SharedNetwork(network.meta.name, hashlib.sha256(path.read_bytes()).hexdigest(), network)
