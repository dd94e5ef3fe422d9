"""The command `tree`: positions that a search of the positions of games evaluates, labelled by shorter searches.

A network is asked about the positions of a search tree, where one side has just lost a piece or won one; positions of
games alone teach it little about those. A label is a search's score, and its best move must be quiet, as in games.
"""

import argparse
import functools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.board.attacks import in_check
from engine88.board.defs import NO_MOVE
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.tunable import tunables_of
from engine88.compiler.warmup import warm_up
from engine88.contract import DEFAULT_NETWORK
from engine88.rules.fen import read_fen
from engine88.rules.legality import is_legal
from engine88.rules.make_move import make_move, unmake_move
from engine88.search.search_state import RECORDED_LINES
from engine88.training.cluster import open_pool
from engine88.training.cluster.pool import PoolError, batch_of, in_order
from engine88.training.compiled import compiled, int64
from engine88.training.game_file import GameFileError, StoredGame, game_of, stored_games
from engine88.training.label import label_cp
from engine88.training.positions import Filter, Samples, first_occurrences, is_held_out, write_samples
from engine88.training.replay import NO_RESULT, SAMPLE_TYPE, engine_move, write_sample
from engine88.training.selfplay.deepen import Searching, SearchMemory, deepen
from engine88.training.selfplay.player import SharedNetwork, share_network, table_mb
from engine88.training.selfplay.run_file import Progress, say

TUNABLE_MODULE: Final = "engine88.search.recording"


class TreeSettings(NamedTuple):
    """How trees are searched, which of their positions are taken, and how those are labelled.

    `share` of the plies of a game, chosen by `seed`, is searched with `nodes`. One in `every` evaluated positions is
    labelled by a search with a soft and a hard limit in nodes; `max_score_cp` is the largest label that is kept.
    """

    share: float = 0.1
    nodes: int = 1500
    every: int = 40
    soft_nodes: int = 150
    hard_nodes: int = 750
    max_score_cp: int = Filter().max_score_cp
    seed: int = 1


@compiled
def label_line(
    board: Board,
    memory: SearchMemory,
    settings: TreeSettings,
    line: NDArray[np.int32],
    samples: NDArray[np.void],
    at: int,
) -> bool:
    """Label the position at the end of a line from the board, and write it to samples[at]; False if it is not quiet."""
    for move in line:
        make_move(board, int64(move))
    written = False
    if not in_check(board):
        move, score_cp = deepen(board, memory, settings.soft_nodes, settings.hard_nodes)
        label = label_cp(board, memory.evaluation, score_cp)
        if move != NO_MOVE and not is_tactical(move) and abs(label) <= settings.max_score_cp:
            write_sample(board, samples, at)
            samples[at]["score_cp"] = label
            samples[at]["result"] = NO_RESULT
            written = True
    for _ in line:
        unmake_move(board)
    return written


@compiled
def walk(
    board: Board,
    memory: SearchMemory,
    settings: TreeSettings,
    played: NDArray[np.uint16],
    seed: int,
    samples: NDArray[np.void],
) -> int:
    """Play a game through and write positions of its trees; their number, or -1 if a move is not legal."""
    np.random.seed(seed)
    count, state = 0, memory.state
    for ply in range(played.shape[0]):
        if np.random.random() < settings.share:
            state.recorded_count = 0
            state.evaluations_left = np.random.randint(settings.every) + 1
            deepen(board, memory, settings.nodes, settings.nodes)
            recorded = state.recorded_count
            state.recorded_count = RECORDED_LINES  # no room: the searches that label record nothing
            for i in range(recorded):
                plies = state.recorded_plies[i]
                if label_line(board, memory, settings, state.recorded_moves[i, :plies], samples, count):
                    samples[count]["ply"] = ply + plies
                    count += 1
        chosen = engine_move(board, int64(played[ply]))
        if not is_legal(board, chosen):
            return -1
        make_move(board, chosen)
    return count


class TreeWalker:
    """Walks through games with one set of the engine's memory; RECORD_EVERY is the process's, so one at a time."""

    def __init__(self, settings: TreeSettings, network: SharedNetwork) -> None:
        """Compile the kernels, or load them; raises RuntimeError in a process that records nothing."""
        self._record_every = tunables_of(TUNABLE_MODULE).values
        warm_up()
        self._settings = settings
        self._searching = Searching(table_mb(settings.nodes), network.loaded())

    def of_game(self, stored: StoredGame) -> Samples:
        """The same whatever games came before; raises GameFileError that names a broken game."""
        game, settings = game_of(stored.data), self._settings
        moves = np.ascontiguousarray(game.moves)
        samples: Samples = np.zeros(RECORDED_LINES * len(moves), SAMPLE_TYPE)  # memory not touched costs nothing
        self._searching.clear()
        self._record_every[:] = settings.every
        seed = (stored.checksum + settings.seed) & 0xFFFFFFFF
        count = walk(read_fen(game.fen), self._searching.memory, settings, moves, seed, samples)
        if count < 0:
            raise GameFileError(f"{stored.where} holds a move that is not legal")
        return samples[:count].copy()


_walking = threading.Lock()


@functools.lru_cache(maxsize=4)
def _walker(settings: TreeSettings, network: SharedNetwork) -> TreeWalker:
    return TreeWalker(settings, network)


def tree_task(settings: TreeSettings, network: SharedNetwork, stored: StoredGame) -> Samples:
    """The samples of one game, made in this process."""
    with _walking:
        return _walker(settings, network).of_game(stored)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    usual = TreeSettings()
    parser.add_argument("games", type=Path, nargs="+", help="files of games; those held out are left out")
    parser.add_argument("--out", type=Path, required=True, help="file of samples to write (.npy)")
    parser.add_argument("--share", type=float, default=usual.share, help="share of the plies that are searched")
    parser.add_argument("--nodes", type=int, default=usual.nodes, help="nodes of such a search")
    parser.add_argument("--every", type=int, default=usual.every, help="one in so many evaluated positions is taken")
    parser.add_argument("--soft", type=int, default=usual.soft_nodes, help="nodes after which a label's search ends")
    parser.add_argument("--hard", type=int, default=usual.hard_nodes, help="nodes that end such a search at once")
    parser.add_argument("--max-score", type=int, default=usual.max_score_cp, help="largest |score|, centipawns")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    parser.add_argument("--seed", type=int, default=usual.seed)
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Make and write what the options say; returns the exit status."""
    try:
        games = _games(options.games)
        parts = _walk_all(games, _settings(options), options)
        every = np.concatenate([np.empty(0, SAMPLE_TYPE), *parts])
        distinct = every[first_occurrences(every)]
        options.out.parent.mkdir(parents=True, exist_ok=True)
        write_samples(options.out, distinct)
    except (OSError, ValueError, PoolError) as error:
        say(f"tree: {error}")
        return 1
    say(f"{options.out}: {len(distinct):,} distinct positions of {len(parts):,} games")
    return 0 if len(parts) == len(games) else 130


def _games(paths: Sequence[Path]) -> list[StoredGame]:
    """The games of the files that are not held out; raises ValueError where there is none."""
    held_out = Filter().held_out_share
    games = [game for game in stored_games(paths) if not is_held_out(game.checksum, held_out)]
    if not games:
        raise ValueError(f"no whole game to learn from in {', '.join(map(str, paths))}")
    return games


def _walk_all(games: Sequence[StoredGame], settings: TreeSettings, options: argparse.Namespace) -> list[Samples]:
    """The samples of each game, of fewer games after Ctrl-C; reports the progress."""
    network = share_network(options.network)
    warm_up(load=False)
    parts, count, progress = list[Samples](), 0, Progress(len(games))
    with open_pool.open_pool(options, say) as pool:
        shared = settings, pool.share(network)
        batch = batch_of(len(games), pool, settings.soft_nodes)
        try:
            for samples in in_order(pool, tree_task, shared, games, batch):
                parts.append(samples)
                count += len(samples)
                if progress.is_due(len(parts), count):
                    say(progress.line())
        except KeyboardInterrupt:
            say(f"tree: stopped after {len(parts):,} of {len(games):,} games; their positions are kept")
    return parts


def _settings(options: argparse.Namespace) -> TreeSettings:
    """What the options say; raises ValueError for what makes no sense."""
    if not 0 < options.share <= 1:
        raise ValueError(f"--share must be above 0 and at most 1, not {options.share:g}")
    if not 1 <= options.soft <= options.hard:
        raise ValueError(f"--soft must be from 1 to --hard ({options.hard}), not {options.soft}")
    for name in ("nodes", "every"):
        if getattr(options, name) < 1:
            raise ValueError(f"--{name} must be 1 or more, not {getattr(options, name)}")
    limits = options.soft, options.hard, options.max_score
    return TreeSettings(options.share, options.nodes, options.every, *limits, options.seed)
