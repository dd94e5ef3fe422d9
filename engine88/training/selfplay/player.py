"""A process that plays games with a shared network."""

from __future__ import annotations

import functools
import hashlib
import random
import threading
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import WHITE
from engine88.board.move_list import MoveList, new_move_list
from engine88.board.record import Board, copy_board
from engine88.compiler.warmup import warm_up
from engine88.contract import NO_NETWORK
from engine88.evaluation.network.loaded_network import LoadedNetwork, lay_out, load_network, network_file
from engine88.evaluation.network.network_file import Network, read_network
from engine88.rules.make_move import make_move
from engine88.rules.movegen import generate_legal
from engine88.rules.position import Position
from engine88.training.compiled import compiled, int64
from engine88.training.game_file import Game, game_bytes
from engine88.training.selfplay.deepen import Searching, deepen
from engine88.training.selfplay.game import GameRules, play_game


@dataclass(frozen=True, slots=True)
class SharedNetwork:
    """A network in integers with its name and the SHA-256 of its file; no network: the hand-written terms."""

    name: str = NO_NETWORK
    digest: str = ""
    network: Network | None = field(default=None, compare=False, repr=False)

    def loaded(self) -> LoadedNetwork | None:
        """The network as the engine uses it."""
        return None if self.network is None else lay_out(self.network)


def share_network(name: str) -> SharedNetwork:
    """The network of a file, of the engine ("default"), or none; raises NetworkFileError for one it cannot use."""
    if name == NO_NETWORK:
        return SharedNetwork()
    path = network_file(name)
    load_network(path)  # raises if anything is wrong with it
    network = read_network(path)
    return SharedNetwork(network.meta.name, hashlib.sha256(path.read_bytes()).hexdigest(), network)


MOST_TABLE_MB: Final = 8
RANDOM_PLIES: Final = (8, 9)
"""Random plies from the first position, at least and at most."""
BOOK_RANDOM_PLIES: Final = (1, 4)
START_NODES_FACTOR: Final = 5
"""The score of a start comes from a search of so many times the nodes of a move."""
_TRIES: Final = 20


def table_mb(soft_nodes: int) -> int:
    """Megabytes of the table for searches of so many nodes a move: a game fits in, and it stays in the caches."""
    return max(1, min(MOST_TABLE_MB, soft_nodes // 250))


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What decides the games of a run, beside its engine, network and book."""

    run: str
    rules: GameRules
    start_cp: int = 600
    """A start further from level than this is not played."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game to play: its number in the run, and the book position it starts from, if any."""

    number: int
    book_fen: str | None = None


class GameGenerator:
    """Plays games with one set of the engine's memory."""

    def __init__(self, settings: PlaySettings, network: SharedNetwork) -> None:
        """Compile the engine's kernels, or load them."""
        warm_up()
        self._settings = settings
        self._searching = Searching(table_mb(settings.rules.soft_nodes), network.loaded())
        most_plies = settings.rules.most_plies
        self._moves = np.empty(most_plies, np.uint16)
        self._scores_cp = np.empty(most_plies, np.int16)

    def play(self, task: Task) -> Game:
        """Play one game; it depends on the settings, the engine and the task alone."""
        start = self._start(task)
        board = copy_board(start.board)  # the memory holds what the search of the start has learnt, and nothing else
        memory, rules = self._searching.memory, self._settings.rules
        result, plies = play_game(board, memory, rules, self._moves, self._scores_cp)
        return Game(start.fen(), int(result), self._moves[:plies].copy(), self._scores_cp[:plies].copy())

    def _start(self, task: Task) -> Position:
        """A start that is level enough: random plies from the book position, or from the first one."""
        chooser = random.Random(f"{self._settings.run}/{task.number}")
        tries = 0
        while True:
            fen = task.book_fen if tries < _TRIES else None
            start = random_start(fen, chooser)
            if start is not None and abs(self._score_cp(start)) <= self._settings.start_cp:
                return start
            tries += 1

    def _score_cp(self, position: Position) -> int:
        self._searching.clear()
        board = copy_board(position.board)
        nodes = START_NODES_FACTOR * self._settings.rules.soft_nodes
        _, score_cp = deepen(board, self._searching.memory, nodes, 2 * nodes)
        return int(score_cp) if position.side == WHITE else -int(score_cp)


def random_start(book_fen: str | None, chooser: random.Random) -> Position | None:
    """A position after random plies, or None where the game is over by then."""
    start = _first_position() if book_fen is None else Position.from_fen(book_fen)
    plies = chooser.randint(*(RANDOM_PLIES if book_fen is None else BOOK_RANDOM_PLIES))
    position = Position(copy_board(start.board))
    draws = np.array([chooser.random() for _ in range(plies)])
    return position if play_random(position.board, new_move_list(), draws) and position.outcome() is None else None


@functools.cache
def _first_position() -> Position:
    return Position.start()


@compiled
def play_random(board: Board, lists: MoveList, draws: NDArray[np.float64]) -> bool:
    """Play a legal move for each number, from 0 to below 1, that chooses it; False where there is none."""
    for draw in draws:
        count = generate_legal(board, lists, int64(0))
        if count == 0:
            return False
        make_move(board, int64(lists.moves[int64(draw * count)]))
    return True


@functools.lru_cache(maxsize=64)
def _player(settings: PlaySettings, network: SharedNetwork, thread: int) -> GameGenerator:  # noqa: ARG001 -- one a thread
    """The player of this thread of this process."""
    return GameGenerator(settings, network)


def play_task(settings: PlaySettings, network: SharedNetwork, task: Task) -> bytes:
    """Play one game in this thread and return its bytes."""
    return game_bytes(_player(settings, network, threading.get_ident()).play(task))
