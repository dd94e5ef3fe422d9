"""The command `fit`: fits the weights of the hand-written evaluation to games, or to labelled positions."""

import argparse
from pathlib import Path

from engine88.training.weights_tuner.fit import FitOptions, fit_weights


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("positions", type=Path, nargs="+", help="files of games (.games), or of labelled positions")
    parser.add_argument("--out", type=Path, required=True, help="weights file to write, as classical/weights.py")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--pull", type=float, default=1.0, help="strength of the pull towards the present weights")
    parser.add_argument("--score-share", type=float, default=0.4, help="share of the search score in the label, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)


def run(options: argparse.Namespace) -> int:
    """Fit and write; returns the exit status."""
    fit_options = FitOptions(options.epochs, options.pull, options.score_share, options.seed)
    fit_weights(options.positions, options.out, fit_options)
    return 0
