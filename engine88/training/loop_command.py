"""The command `loop`: from nothing to a network that plays: `play`, `children` and `train` in this order."""

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from engine88.contract import NO_NETWORK
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.training import children_command, play_command, train_command
from engine88.training.cluster import open_pool
from engine88.training.selfplay.player import share_network
from engine88.training.selfplay.run_file import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command; the defaults take some twenty minutes on two cores."""
    parser.add_argument("out", type=Path, help="folder for games, samples, network and report; continued if begun")
    parser.add_argument("--games", type=int, default=10_000, help="games to play")
    parser.add_argument("--soft", type=int, default=1000, help="nodes after which no iteration of a search begins")
    parser.add_argument("--hard", type=int, default=5000, help="nodes that end a search at once")
    parser.add_argument("--network", default=NO_NETWORK, help="who plays: a network file, `default`, or `none` (usual)")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files or folders of them; may be zipped")
    parser.add_argument("--share", type=float, default=0.2, help="share of the legal moves tried for samples, 0 to 1")
    parser.add_argument("--width", type=int, default=64, help="neurons for each perspective; more games bear 128")
    parser.add_argument("--epochs", type=int, default=15, help="times that the games are gone through")
    parser.add_argument("--pretrain-epochs", type=int, default=6, help="times that the samples are gone through")
    parser.add_argument("--batch", type=int, default=4096, help="positions in a step")
    parser.add_argument("--held-out", type=float, default=0.02, help="share of the games held out")
    parser.add_argument("--seed", type=int, default=1)
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Run the steps, each as the command that could be typed; returns the exit status of the one that failed, or 0."""
    for number, (module, words) in enumerate(_steps(options), 1):
        name = module.__name__.rpartition(".")[2].removesuffix("_command")
        say(f"== {number} of 3: python -m engine88.training {shlex.join([name, *words])}")
        parser = argparse.ArgumentParser(prog=f"python -m engine88.training {name}")
        module.add_arguments(parser)
        status: int = module.run(parser.parse_args(words))
        if status != 0:
            return status
    network = _folder_files(options.out)[2]
    try:
        shared = share_network(str(network))
    except NetworkFileError as error:
        say(f"loop: {error}")
        return 1
    say(f"{shared.name} is ready: `engine88` plays with it after `setoption name EvalFile value {network.resolve()}`")
    return 0


def _folder_files(folder: Path) -> tuple[Path, Path, Path]:
    """Games, samples and network."""
    return folder / "self.games", folder / "children.npy", folder / "network.npz"


def _steps(options: argparse.Namespace) -> Iterator[tuple[ModuleType, list[str]]]:
    """Yield each step's command and its words; samples that are newer than the games are made already."""
    games, samples, network = _folder_files(options.out)
    books = ["--books", *map(str, options.books)] if options.books else []
    pool = ["--workers", str(options.workers), *(["--scheduler", options.scheduler] if options.scheduler else [])]
    limits = ["--soft", str(options.soft), "--hard", str(options.hard), "--network", options.network]
    yield play_command, [str(games), "--games", str(options.games), *limits, *books, *pool]
    if not (samples.exists() and samples.stat().st_mtime > games.stat().st_mtime):
        labels = ["--share", str(options.share), "--network", options.network]
        yield children_command, [str(games), "--out", str(samples), *labels]
    pretraining = ["--pretrain", str(samples), "--pretrain-epochs", str(options.pretrain_epochs)]
    sizes = ["--width", str(options.width), "--epochs", str(options.epochs), "--batch", str(options.batch)]
    choice = ["--held-out", str(options.held_out), "--seed", str(options.seed)]
    yield train_command, [str(games), "--out", str(network), *pretraining, *sizes, *choice]
