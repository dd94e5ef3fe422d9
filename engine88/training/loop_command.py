"""The command `loop`: from nothing to a network that plays: `play`, `tree` and `train` in this order."""

import argparse
import shlex
from pathlib import Path

from engine88.contract import NO_NETWORK
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.training.__main__ import main
from engine88.training.cluster import open_pool
from engine88.training.selfplay.player import share_network
from engine88.training.selfplay.run_file import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command; the defaults take some twenty minutes on two cores."""
    parser.add_argument("out", type=Path, help="folder for games, positions of trees, network and report")
    parser.add_argument("--games", type=int, default=6000, help="games to play; those that the folder has are counted")
    parser.add_argument("--soft", type=int, default=1000, help="nodes after which no iteration of a search begins")
    parser.add_argument("--hard", type=int, default=5000, help="nodes that end a search at once")
    parser.add_argument("--network", default=NO_NETWORK, help="who plays: a network file, `default`, or `none` (usual)")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files or folders of them; may be zipped")
    parser.add_argument("--share", type=float, default=0.2, help="share of the plies whose trees are searched, 0 to 1")
    parser.add_argument("--width", type=int, default=64, help="neurons for each perspective; more games bear 128")
    parser.add_argument("--epochs", type=int, default=15, help="times that the games are gone through")
    parser.add_argument("--batch", type=int, default=4096, help="positions in a step")
    parser.add_argument("--held-out", type=float, default=0.02, help="share of the games held out")
    parser.add_argument("--seed", type=int, default=1)
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Run the steps, each as the command that could be typed; returns the exit status of the one that failed, or 0."""
    network = options.out / "network.npz"
    for number, words in enumerate(_steps(options, network), 1):
        say(f"== {number} of 3: python -m engine88.training {shlex.join(words)}")
        status = main(words)
        if status != 0:
            return status
    try:
        shared = share_network(str(network))
    except NetworkFileError as error:
        say(f"loop: {error}")
        return 1
    say(f"{shared.name} is ready: `engine88` plays with it after `setoption name EvalFile value {network.resolve()}`")
    return 0


def _steps(options: argparse.Namespace, network: Path) -> list[list[str]]:
    """The words of each command."""
    games, samples = str(options.out / "self.games"), str(options.out / "trees.npy")
    books = ["--books", *map(str, options.books)] if options.books else []
    pool = ["--workers", str(options.workers), *(["--scheduler", options.scheduler] if options.scheduler else [])]
    teacher = ["--network", options.network, *pool]
    limits = ["--soft", str(options.soft), "--hard", str(options.hard)]
    sizes = ["--width", str(options.width), "--epochs", str(options.epochs), "--batch", str(options.batch)]
    choice = ["--held-out", str(options.held_out), "--seed", str(options.seed)]
    return [
        ["play", games, "--games", str(options.games), *limits, *books, *teacher],
        ["tree", games, "--out", samples, "--share", str(options.share), *teacher],
        ["train", games, "--mix", samples, "--out", str(network), *sizes, *choice],
    ]
