"""The command `spsa`: tunes the numbers of the search by games of the engine with itself at fixed nodes."""

import argparse
from dataclasses import asdict
from pathlib import Path

from engine88.contract import DEFAULT_NETWORK
from engine88.training.cluster import open_pool
from engine88.training.selfplay.run_file import reporting, say
from engine88.training.tuning.kind import Kind, at_nodes, on_clock
from engine88.training.tuning.pair_run import play_run, read_results
from engine88.training.tuning.spsa import Schedule, SpsaOptimizer, draw_trajectories, follow, table, with_values
from engine88.training.tuning.tuning_games import RULES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    schedule = Schedule(20_000, "1")
    parser.add_argument("out", type=Path, help="file of results; an existing run is continued")
    parser.add_argument("--pairs", type=int, default=schedule.pairs, help="pairs of games in the whole run")
    parser.add_argument("--soft", type=int, default=3000, help="nodes after which no iteration begins")
    parser.add_argument("--hard", type=int, default=10_000, help="nodes that end a search at once")
    parser.add_argument(
        "--clock", metavar="BASE+INC", help="tune the time manager, on a clock of so many nodes: 500000+5000"
    )
    parser.add_argument("--plies", type=int, default=RULES.most_plies, help="plies after which a game is drawn")
    parser.add_argument("--rate", type=float, default=schedule.rate, help="what a won game moves at the end, in steps")
    parser.add_argument("--only", nargs="+", default=(), metavar="PREFIX", help="numbers whose names begin so")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files (default: some random plies)")
    parser.add_argument("--seed", default=schedule.seed, help="chooses signs and openings")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    parser.add_argument("--plot", type=Path, help="picture of the trajectories of the numbers to write at the end")
    parser.add_argument("--write", type=Path, help="params.py to write the values into at the end")
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play what the options say; returns the exit status."""
    return reporting("spsa", lambda: _tune(options))


def _tune(options: argparse.Namespace) -> int:
    schedule = _schedule(options)
    rules = RULES._replace(soft_nodes=options.soft, hard_nodes=options.hard, most_plies=options.plies)
    kind = on_clock(options.only, options.clock, rules) if options.clock else at_nodes(options.only, rules)
    optimizer = SpsaOptimizer(kind.dimensions, schedule)
    dimensions = [asdict(one) for one in kind.dimensions]
    made_with = {**kind.made_with(), "dimensions": dimensions, "schedule": asdict(schedule)}

    def furthest() -> str:
        return f"furthest {max(abs(optimizer.in_steps())):.2f} steps"

    for half_points in play_run(options, kind.play, kind.settings, made_with, optimizer.propose, furthest):
        optimizer.add(half_points)
    _tell(options, kind, schedule)
    return 0


def _schedule(options: argparse.Namespace) -> Schedule:
    for name, low in (("pairs", 1), ("soft", 1), ("hard", options.soft), ("plies", 1)):
        if getattr(options, name) < low:
            raise ValueError(f"--{name} must be {low} or more, not {getattr(options, name)}")
    if not 0 < options.rate <= 1:
        raise ValueError(f"--rate must be above 0 and at most 1, not {options.rate}")
    return Schedule(options.pairs, options.seed, options.rate)


def _tell(options: argparse.Namespace, kind: Kind, schedule: Schedule) -> None:
    results = read_results(options.out)
    optimizer = SpsaOptimizer(kind.dimensions, schedule)
    ways = follow(optimizer, results)
    say(table(optimizer))
    if options.plot is not None:
        title = f"{len(results):,} pairs at {kind.limit}"
        drawn = draw_trajectories(options.plot, title, optimizer, ways, len(results))
        say(str(options.plot) if drawn else "no picture: pip install 'bot88[plots]'")
    if options.write is not None:
        values = kind.texts([one.name for one in kind.dimensions], optimizer.values())
        options.write.write_text(with_values(options.write.read_text(encoding="utf-8"), values), encoding="utf-8")
        say(f"{options.write}: written")
