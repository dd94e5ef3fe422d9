"""The command `average`: the mean of networks with one start, each by other data or another order.

Their mean judges more evenly than any of them, and costs no more to compute. It makes sense for networks that a few
epochs have led away from the same one, not for strangers. Source: Wortsman et al. 2022, "Model soups".
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine88.evaluation.network.network_file import Network, read_network, write_network
from engine88.training.network_trainer.layers import Layers, dequantise, quantise
from engine88.training.selfplay.run_file import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("networks", type=Path, nargs="+", help="network files of one width, all from one start")
    parser.add_argument("--out", type=Path, required=True, help="network file to write")
    parser.add_argument("--name", default="", help="name of the network (default: that of the file)")
    parser.add_argument("--generation", type=int, default=1)


def run(options: argparse.Namespace) -> int:
    """Write the mean of what the options name; returns the exit status."""
    try:
        networks = [read_network(path) for path in options.networks]
        _check_alike(options.networks, networks)
        first = networks[0].meta
        told = f"mean of {', '.join(network.meta.name for network in networks)}"
        name = options.name or options.out.stem
        meta = replace(first, name=name, data=told, generation=options.generation)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        write_network(options.out, quantise(mean_of([dequantise(network) for network in networks]), meta))
    except (OSError, ValueError) as error:
        say(f"average: {error}")
        return 1
    say(f"{options.out}: mean of {len(networks)} networks")
    return 0


def mean_of(layers: Sequence[Layers]) -> Layers:
    """The mean of each parameter over networks of one shape; that of integers is rounded."""
    means = [np.mean(arrays, axis=0) for arrays in zip(*layers, strict=True)]
    features = [np.rint(mean).astype(np.int16) for mean in means[:2]]
    return Layers(*features, *(mean.astype(np.float32) for mean in means[2:]))


def _check_alike(paths: Sequence[Path], networks: Sequence[Network]) -> None:
    """Raise ValueError unless all have the shape of the first."""
    first = networks[0].meta
    for path, network in zip(paths, networks, strict=True):
        if network.meta.shape != first.shape:
            raise ValueError(
                f"{path}: its width, mirroring or king buckets are not those of {paths[0]}; "
                "only networks alike have a mean"
            )
