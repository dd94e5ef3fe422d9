"""The command `play`: games of the engine with itself, written to a file of games."""

import argparse
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine88.compiler.warmup import warm_up
from engine88.contract import DEFAULT_NETWORK
from engine88.training.cluster import open_pool
from engine88.training.cluster.pool import batch_of, in_order
from engine88.training.selfplay.books import Book, read_books
from engine88.training.selfplay.game import GameRules
from engine88.training.selfplay.player import PlaySettings, SharedNetwork, Task, play_task, share_network
from engine88.training.selfplay.run_file import (
    append_games,
    engine_of_run,
    open_run,
    read_settings,
    reporting,
    say,
    summary,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    rules = GameRules()
    parser.add_argument("out", type=Path, help="file of games; an existing run is continued")
    parser.add_argument("--games", type=int, default=1000, help="games that the file shall hold in the end")
    parser.add_argument("--soft", type=int, default=rules.soft_nodes, help="nodes after which no iteration begins")
    parser.add_argument("--hard", type=int, default=rules.hard_nodes, help="nodes that end a search at once")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files or folders of them; may be zipped")
    parser.add_argument("--book-share", type=float, default=0.5, help="share of the games that begin in a book, 0 to 1")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    parser.add_argument("--run", help="name of the run, the seed of its games (default: a new one)")
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play what the options say; returns the exit status."""
    return reporting("play", lambda: _play(options))


def _check(options: argparse.Namespace) -> None:
    """Raise ValueError for a number that makes no sense."""
    for name, low in (("games", 1), ("soft", 1), ("hard", options.soft)):
        if getattr(options, name) < low:
            raise ValueError(f"--{name} must be {low} or more, not {getattr(options, name)}")
    if not 0 <= options.book_share <= 1:
        raise ValueError(f"--book-share must be from 0 to 1, not {options.book_share}")


def _play(options: argparse.Namespace) -> int:
    _check(options)
    network = share_network(options.network)
    book = read_books(options.books, say)
    settings = PlaySettings(_run_name(options), GameRules(soft_nodes=options.soft, hard_nodes=options.hard))
    made_with = _made_with(settings, network, book, options.book_share)
    warm_up(load=False)
    with open_run(options.out, made_with, engine_of_run("engine88.training.selfplay.game")) as file:
        if file.games:
            say(f"{options.out}: going on after {file.games:,} games")
        tasks = _tasks(file.games, options.games, settings.run, book, options.book_share)
        if file.games < options.games:
            with open_pool.open_pool(options, say) as pool:
                shared = settings, pool.share(network)
                batch = batch_of(options.games - file.games, pool, options.soft)
                append_games(file, in_order(pool, play_task, shared, tasks, batch), options.games)
        say(summary(str(options.out), file))
    return 0


def _tasks(first: int, end: int, run: str, book: Book, share: float) -> Iterator[Task]:
    for number in range(first, end):
        yield Task(number, book.pick(run, number, share))


def _run_name(options: argparse.Namespace) -> str:
    """The name asked for, that of the run in the file, or a new one."""
    if options.run is not None:
        return str(options.run)
    begun = read_settings(options.out)
    return str(begun["made_with"]["run"]) if begun else secrets.token_hex(8)


def _made_with(settings: PlaySettings, network: SharedNetwork, book: Book, share: float) -> dict[str, Any]:
    """What decides the games, as it is written beside them."""
    return {
        "run": settings.run,
        **settings.rules._asdict(),
        "start_cp": settings.start_cp,
        "network": network.name,
        "network_sha256": network.digest,
        "books": book.files,
        "book_share": share if book.fens else 0.0,
    }
