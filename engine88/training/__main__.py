"""Command line: `python -m engine88.training train GAMES... --out NETWORK` trains a network on files of games."""

import argparse
import sys
from collections.abc import Sequence

from engine88.training import train_command


def build_parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    parser = argparse.ArgumentParser(prog="python -m engine88.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train_command.add_arguments(commands.add_parser("train", help="train a network on files of games"))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    return train_command.run(build_parser().parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
