"""The command `factorial`: measures many changes of numbers by one set of games."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from engine88.contract import DEFAULT_NETWORK
from engine88.training.cluster import open_pool
from engine88.training.match.standing import statistics
from engine88.training.selfplay.run_file import reporting, say
from engine88.training.tuning.factorial import Change, effects, effects_table, parse_change, sides
from engine88.training.tuning.kind import at_nodes, on_clock
from engine88.training.tuning.pair_run import play_run, read_results
from engine88.training.tuning.spsa import SettingsPair
from engine88.training.tuning.tuning_games import RULES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("out", type=Path, help="file of results; an existing run is continued")
    parser.add_argument("changes", nargs="+", metavar="NAME=FIRST:SECOND", help="a number, and two values to compare")
    parser.add_argument(
        "--clock", metavar="BASE+INC", help="numbers of the time manager, on a clock of so many nodes: 500000+5000"
    )
    parser.add_argument("--together", action="store_true", help="all second values against all first ones: a match")
    parser.add_argument("--pairs", type=int, default=5000, help="pairs of games")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes of each move, without --clock")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files (default: some random plies)")
    parser.add_argument("--seed", default="1", help="chooses sides and openings")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play what the options say; returns the exit status."""
    return reporting("factorial", lambda: _measure(options))


def _measure(options: argparse.Namespace) -> int:
    for name in ("pairs", "nodes"):
        if getattr(options, name) < 1:
            raise ValueError(f"--{name} must be 1 or more, not {getattr(options, name)}")
    rules = RULES._replace(soft_nodes=options.nodes, hard_nodes=options.nodes)
    kind = on_clock((), options.clock, rules) if options.clock else at_nodes((), rules)
    changes = [parse_change(text, [one.name for one in kind.dimensions]) for text in options.changes]
    settings = replace(kind.settings, names=tuple(one.name for one in changes))
    made_with = {
        **kind.made_with(),
        "changes": [asdict(one) for one in changes],
        "together": options.together,
        "seed": options.seed,
    }
    together = SettingsPair(tuple(one.second for one in changes), tuple(one.first for one in changes))

    def propose(pair: int) -> SettingsPair:
        return together if options.together else sides(options.seed, pair, changes)

    def status() -> str:
        return _found(options, changes, read_results(options.out))

    results = list(play_run(options, kind.play, settings, made_with, propose, status))
    say(_found(options, changes, results))
    return 0


def _found(options: argparse.Namespace, changes: Sequence[Change], results: Sequence[int]) -> str:
    pairs = [results.count(half_points) for half_points in range(5)]
    lines = [f"{2 * len(results):,} games, pairs {pairs}; Elo of the second value over the first"]
    if options.together:
        found = statistics(pairs)
        lines.append(f"all together {found.elo:+.1f} ({found.elo_low:+.1f} to {found.elo_high:+.1f})")
    else:
        lines.append(effects_table(effects(options.seed, changes, results)))
    return "\n".join(lines)
