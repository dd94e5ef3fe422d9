"""Command line: `python -m engine88.training` with a command.

`play` plays games of the engine with itself, `relabel` gives older ones the scores of a newer network. `train` trains
a network on them, perhaps after it has learnt from the positions that `children` makes; `fit` fits the weights of the
hand-written evaluation to them. `loop` does what a first network needs, one after the other. `match` says by games
which of two engines is the stronger.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from engine88.compiler.cache_folder import CACHE_VARIABLE, cache_root
from engine88.training import (
    children_command,
    loop_command,
    match_command,
    play_command,
    relabel_command,
    train_command,
)

COMMANDS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "play": play_command.run,
    "relabel": relabel_command.run,
    "children": children_command.run,
    "train": train_command.run,
    "loop": loop_command.run,
    "match": match_command.run,
}


def build_parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    parser = argparse.ArgumentParser(prog="python -m engine88.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    play_command.add_arguments(commands.add_parser("play", help="games of the engine with itself, in a file of games"))
    relabel = commands.add_parser("relabel", help="older games with the scores of another network")
    relabel_command.add_arguments(relabel)
    match_command.add_arguments(commands.add_parser("match", help="two engines, by pairs of games, perhaps as a test"))
    loop_command.add_arguments(commands.add_parser("loop", help="from nothing to a network: play, children, train"))
    fit = commands.add_parser("fit", help="fit the weights to labelled positions and write them")
    fit.add_argument("positions", type=Path, nargs="+", help="files of games (.games), or of labelled positions")
    fit.add_argument("--out", type=Path, required=True, help="weights file to write (evaluation/classical/weights.py)")
    fit.add_argument("--epochs", type=int, default=30)
    fit.add_argument("--pull", type=float, default=1.0, help="strength of the pull towards the present weights")
    fit.add_argument("--score-share", type=float, default=0.4, help="share of the search score in the label, 0 to 1")
    fit.add_argument("--seed", type=int, default=1)
    children_command.add_arguments(commands.add_parser("children", help="positions one move off games, labelled"))
    train_command.add_arguments(commands.add_parser("train", help="train a network on files of games"))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = build_parser().parse_args(arguments)
    if options.command in COMMANDS:
        return COMMANDS[options.command](options)
    # Kernels that count their terms are other machine code: they need the switch and a cache folder of their own.
    os.environ["ENGINE88_TRACE"] = "1"
    os.environ["ENGINE88_SHIPPED_DIR"] = ""
    os.environ[CACHE_VARIABLE] = str(cache_root() / "tracing")
    cache_root.cache_clear()
    from engine88.training.weights_tuner.fit import FitOptions, fit_weights

    fit_weights(
        options.positions, options.out, FitOptions(options.epochs, options.pull, options.score_share, options.seed)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
