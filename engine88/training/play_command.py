"""The command `play`: games of the engine with itself, written to a file of games."""

import argparse
import os
import secrets
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine88.compiler.cache_folder import folder_name
from engine88.compiler.jit import warm_up
from engine88.contract import DEFAULT_NETWORK
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.training.cluster.pool import LocalPool, Pool, in_order
from engine88.training.selfplay.books import Book, read_books
from engine88.training.selfplay.game import GameRules
from engine88.training.selfplay.player import PlaySettings, Task, play_task
from engine88.training.selfplay.progress import Progress, say
from engine88.training.selfplay.run_file import RunFile, open_run, read_settings
from engine88.training.selfplay.shared_network import SharedNetwork, share_network


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    rules = GameRules()
    parser.add_argument("out", type=Path, help="file of games; a run that lies there is gone on with")
    parser.add_argument("--games", type=int, default=1000, help="games that the file shall hold in the end")
    parser.add_argument("--soft", type=int, default=rules.soft_nodes, help="nodes after which no iteration begins")
    parser.add_argument("--hard", type=int, default=rules.hard_nodes, help="nodes that end a search at once")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files or folders of them; may be zipped")
    parser.add_argument("--book-share", type=float, default=0.5, help="share of the games that begin in a book, 0 to 1")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    parser.add_argument("--run", help="name of the run, the seed of its games (default: one that never came before)")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes; default: one for each core"
    )


def run(options: argparse.Namespace) -> int:
    """Play what the options say; returns the exit status."""
    try:
        _check(options)
        return _play(options)
    except (OSError, ValueError, NetworkFileError) as error:
        say(f"play: {error}")
        return 1
    except BrokenProcessPool:
        say("play: a process of the pool was ended from outside; the same command goes on where the file ends")
        return 1
    except KeyboardInterrupt:
        say("play: ended; the same command goes on where the file ends")
        return 130


def _check(options: argparse.Namespace) -> None:
    """Raise ValueError for a number that makes no sense."""
    for name, low in (("games", 1), ("soft", 1), ("workers", 1), ("hard", options.soft)):
        if getattr(options, name) < low:
            raise ValueError(f"--{name} must be {low} or more, not {getattr(options, name)}")
    if not 0 <= options.book_share <= 1:
        raise ValueError(f"--book-share must be from 0 to 1, not {options.book_share}")


def _play(options: argparse.Namespace) -> int:
    network = share_network(options.network)
    book = read_books(options.books, say)
    settings = PlaySettings(_run_name(options), GameRules(soft_nodes=options.soft, hard_nodes=options.hard))
    made_with = _made_with(settings, network, book, options.book_share)
    warm_up(load=False)
    with open_run(options.out, made_with, _engine()) as file:
        if file.games:
            say(f"{options.out}: going on after {file.games:,} games")
        tasks = _tasks(file.games, options.games, settings.run, book, options.book_share)
        if file.games < options.games:
            with LocalPool(min(options.workers, options.games - file.games)) as pool:
                _append_games(pool, file, (settings, network), tasks, options.games)
        say(_summary(options.out, file))
    return 0


def _append_games(
    pool: Pool, file: RunFile, shared: tuple[PlaySettings, SharedNetwork], tasks: Iterator[Task], wanted: int
) -> None:
    """Write the games as they come, and tell how it goes."""
    settings, network = shared
    progress = Progress(wanted)
    for game in in_order(pool, play_task, (settings, pool.share(network)), tasks):
        file.append(game)
        if progress.is_due(file.games, file.positions):
            say(f"{progress.line()}; {file.duplicates:,} duplicates")


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


def _engine() -> dict[str, str]:
    """The engine that plays: its version, and a name for exactly these sources."""
    return {"version": version("bot88"), "sources": folder_name("engine88.training.selfplay.game")}


def _summary(path: Path, file: RunFile) -> str:
    black, drawn, white = (100 * file.results[result] / max(file.games, 1) for result in range(3))
    return (
        f"{path}: {file.games:,} games, {file.positions:,} positions; White won {white:.0f} %, drawn {drawn:.0f} %, "
        f"Black won {black:.0f} %; {file.duplicates:,} games came twice"
    )
