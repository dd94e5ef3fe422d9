"""A run of pairs of games, and its file: one digit for each pair, the half points of its first setting.

Everything else follows from the settings beside the file and the number of the pair, so a run is continued from there.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from engine88.compiler.warmup import warm_up
from engine88.training.cluster import open_pool
from engine88.training.cluster.pool import in_order
from engine88.training.match.pair import random_fen
from engine88.training.selfplay.books import Book, read_books
from engine88.training.selfplay.player import SharedNetwork, share_network
from engine88.training.selfplay.run_file import Progress, RunFileError, engine_of_run, keep_settings, locked, say
from engine88.training.tuning.spsa import SettingsPair
from engine88.training.tuning.tuning_games import PairTask

_DIGITS: Final = b"01234"


def play_run(
    options: argparse.Namespace,
    play: Callable[[Any, SharedNetwork, PairTask], int],
    settings: Any,
    made_with: dict[str, Any],
    propose: Callable[[int], SettingsPair],
    status: Callable[[], str],
) -> Iterator[int]:
    """Yield the half points, 0 to 4, of each pair: first those in the file, then new ones, which are written to it.

    `play` plays a pair with `settings`; `propose` gives the two settings of a pair when it is handed out; `status` says
    how the run stands. `made_with` is what decides the pairs, besides network, books and engine. Raises RunFileError
    for a file that was begun with something else.
    """
    out: Path = options.out
    network = share_network(options.network)
    book = read_books(options.books, say)
    given = {"network": [network.name, network.digest], "books": book.files, "engine": engine_of_run(play.__module__)}
    warm_up(load=False)
    out.parent.mkdir(parents=True, exist_ok=True)
    with locked(out) as descriptor:
        keep_settings(out, {**made_with, **given})
        begun = read_results(out)
        if begun:
            say(f"{out}: going on after {len(begun):,} pairs")
        yield from begun
        if len(begun) < options.pairs:
            progress = Progress(2 * options.pairs)
            with open_pool.open_pool(options, say) as pool:
                tasks = _tasks(options, book, range(len(begun), options.pairs), propose)
                results = in_order(pool, play, (settings, pool.share(network)), tasks)
                for number, half_points in enumerate(results, len(begun) + 1):
                    _write(descriptor, half_points)
                    yield half_points
                    if progress.is_due(2 * number, 0):
                        say(f"{progress.games_line()}; {status()}")


def _tasks(
    options: argparse.Namespace, book: Book, pairs: range, propose: Callable[[int], SettingsPair]
) -> Iterator[PairTask]:
    for pair in pairs:
        fen = book.pick(options.seed, pair, 1.0) or random_fen(options.seed, pair)
        yield PairTask(fen, *propose(pair))


def _write(descriptor: int, half_points: int) -> None:
    if os.write(descriptor, _DIGITS[half_points : half_points + 1]) != 1:
        raise OSError("a result could not be written; is the disk full?")


def read_results(out: Path) -> list[int]:
    """The half points of each pair so far; raises RunFileError for a file of something else."""
    data = out.read_bytes()
    if data.strip(_DIGITS):
        raise RunFileError(f"{out}: holds more than results of pairs (digits 0 to 4); name another file")
    return [digit - _DIGITS[0] for digit in data]
