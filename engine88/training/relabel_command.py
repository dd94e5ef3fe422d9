"""The command `relabel`: search the positions of older games again with a newer network."""

from __future__ import annotations

import argparse
import functools
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import WHITE
from engine88.board.record import Board
from engine88.compiler.warmup import warm_up
from engine88.contract import DEFAULT_NETWORK
from engine88.rules.fen import read_fen
from engine88.rules.legality import is_legal
from engine88.rules.make_move import make_move
from engine88.training.cluster import open_pool
from engine88.training.cluster.pool import batch_of, in_order
from engine88.training.compiled import compiled, int64
from engine88.training.game_file import Game, GameFileError, StoredGame, game_bytes, game_of, read_games, stored_games
from engine88.training.label import label_cp
from engine88.training.replay import engine_move
from engine88.training.selfplay.deepen import Searching, SearchMemory, deepen
from engine88.training.selfplay.player import SharedNetwork, share_network, table_mb
from engine88.training.selfplay.run_file import (
    RunFileError,
    append_games,
    engine_of_run,
    open_run,
    reporting,
    say,
    summary,
)


@dataclass(frozen=True, slots=True)
class RelabelSettings:
    """Nodes after which no iteration of a search begins, and nodes that end it at once."""

    soft_nodes: int = 1000
    hard_nodes: int = 5000


@compiled
def search_game(
    board: Board, memory: SearchMemory, limits: tuple[int, int], moves: NDArray[np.uint16], scores_cp: NDArray[np.int16]
) -> int:
    """Write White's label of each position of a game to `scores_cp`; the ply of a move that is not legal, or -1.

    `limits` are the soft and the hard limit in nodes.
    """
    for ply in range(moves.shape[0]):
        chosen = engine_move(board, int64(moves[ply]))
        if not is_legal(board, chosen):
            return ply
        _, score = deepen(board, memory, limits[0], limits[1])
        label = label_cp(board, memory.evaluation, score)
        scores_cp[ply] = label if board.side == WHITE else -label
        make_move(board, chosen)
    return -1


class Relabeller:
    """Searches games again with one set of the engine's memory."""

    def __init__(self, settings: RelabelSettings, network: SharedNetwork) -> None:
        """Compile the engine's kernels, or load them."""
        warm_up()
        self._limits = settings.soft_nodes, settings.hard_nodes
        self._searching = Searching(table_mb(settings.soft_nodes), network.loaded())

    def relabel(self, old: StoredGame) -> Game:
        """The game with new scores, whatever games came before; raises GameFileError that names a broken game."""
        game = game_of(old.data)
        moves = np.ascontiguousarray(game.moves)
        scores_cp = np.zeros(len(moves), np.int16)
        self._searching.clear()
        ply = search_game(read_fen(game.fen), self._searching.memory, self._limits, moves, scores_cp)
        if ply >= 0:
            raise GameFileError(f"{old.where}: move {ply + 1} of the game is not legal")
        return Game(game.fen, game.result, game.moves, scores_cp)


@functools.lru_cache(maxsize=64)
def _relabeller(settings: RelabelSettings, network: SharedNetwork, thread: int) -> Relabeller:  # noqa: ARG001 -- one a thread
    """The memory of this thread of this process."""
    return Relabeller(settings, network)


def relabel_task(settings: RelabelSettings, network: SharedNetwork, old: StoredGame) -> bytes:
    """Search one game again in this thread and return its bytes."""
    return game_bytes(_relabeller(settings, network, threading.get_ident()).relabel(old))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    usual = RelabelSettings()
    parser.add_argument("out", type=Path, help="file of games to write; an existing one is continued")
    parser.add_argument("games", type=Path, nargs="+", help="files of the older games")
    parser.add_argument("--soft", type=int, default=usual.soft_nodes, help="nodes after which no iteration begins")
    parser.add_argument("--hard", type=int, default=usual.hard_nodes, help="nodes that end a search at once")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Search again what the options name; returns the exit status."""
    return reporting("relabel", lambda: _relabel(options))


def _relabel(options: argparse.Namespace) -> int:
    if not 1 <= options.soft <= options.hard:
        raise ValueError(f"--soft must be from 1 to --hard ({options.hard}), not {options.soft}")
    settings = RelabelSettings(options.soft, options.hard)
    network = share_network(options.network)
    old = list(stored_games(options.games))
    if not old:
        raise ValueError(f"no whole game in {', '.join(map(str, options.games))}; name files that `play` wrote")
    warm_up(load=False)
    engine = engine_of_run("engine88.training.relabel_command")
    with open_run(options.out, _made_with(options, settings, network), engine) as file:
        _check_same_games(options.out, old, file.games)
        if file.games < len(old):
            with open_pool.open_pool(options, say) as pool:
                shared = settings, pool.share(network)
                left = old[file.games :]
                batch = batch_of(len(left), pool, options.soft)
                append_games(file, in_order(pool, relabel_task, shared, left, batch), len(old))
        say(summary(str(options.out), file))
    return 0


def _check_same_games(out: Path, old: list[StoredGame], done: int) -> None:
    """Raise RunFileError unless what is in the file so far are the first of the old games."""
    for done_game, old_game in zip(read_games(out), old, strict=False):
        before = game_of(old_game.data)
        if (done_game.fen, done_game.moves.tolist()) != (before.fen, before.moves.tolist()):
            raise RunFileError(f"{out}: made from other games than {old_game.where}; name another file")
    if done > len(old):
        raise RunFileError(f"{out}: holds {done} games, and the older files only {len(old)}; name another file")


def _made_with(options: argparse.Namespace, settings: RelabelSettings, network: SharedNetwork) -> dict[str, Any]:
    """What decides the scores, as it is written beside them."""
    return {
        "games": [path.name for path in options.games],
        "soft_nodes": settings.soft_nodes,
        "hard_nodes": settings.hard_nodes,
        "network": network.name,
        "network_sha256": network.digest,
    }
