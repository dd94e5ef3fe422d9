"""The command `children`: positions one move off the games, labelled by the engine, for `train --pretrain`."""

import argparse
import sys
from pathlib import Path

from engine88.training.positions import Filter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("games", type=Path, nargs="+", help="files of games")
    parser.add_argument("--out", type=Path, required=True, help="file of samples to write (.npy)")
    parser.add_argument("--share", type=float, default=0.2, help="share of the legal moves that is tried, 0 to 1")
    parser.add_argument("--depth", type=int, default=0, help="depth of the search that labels; 0 is the evaluation")
    parser.add_argument(
        "--network", default="none", help="what evaluates: none (the hand-written terms), default, or a network's file"
    )
    parser.add_argument("--max-score", type=int, default=Filter().max_score_cp, help="largest |score|, centipawns")
    parser.add_argument("--seed", type=int, default=1)


def run(options: argparse.Namespace) -> int:
    """Make and write what the options say; returns the exit status."""
    from engine88.evaluation.network.loaded_network import DEFAULT_FILE
    from engine88.evaluation.network.network_file import NetworkFileError
    from engine88.training.children import ChildSettings, make_children  # loads the engine's kernels
    from engine88.training.game_file import GameFileError
    from engine88.training.positions import write_samples

    network = {"none": None, "default": DEFAULT_FILE}.get(options.network, Path(options.network))
    settings = ChildSettings(options.share, options.depth, options.seed, network)
    try:
        samples = make_children(options.games, settings, Filter(max_score_cp=options.max_score), _say)
    except (OSError, GameFileError, NetworkFileError) as error:
        _say(f"children: {error}")
        return 1
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_samples(options.out, samples)
    _say(f"{options.out}: {len(samples):,} distinct positions")
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 -- progress of a tool
