"""A pair of games between two settings of the search's numbers, in one process without a word of UCI."""

import functools
import threading
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import NO_MOVE, WHITE
from engine88.board.record import Board, copy_board
from engine88.compiler.tunable import tunables_of
from engine88.compiler.warmup import warm_up
from engine88.rules.make_move import make_move
from engine88.rules.position import Position
from engine88.training.compiled import compiled, int64
from engine88.training.selfplay.deepen import Searching, SearchMemory, deepen
from engine88.training.selfplay.game import (
    DRAWN,
    GOES_ON,
    GameRules,
    called_result,
    far_ahead,
    is_drawn,
    near_level,
    result_without_moves,
)
from engine88.training.selfplay.player import SharedNetwork

TABLE_MB: Final = 4
RULES: Final = GameRules(won_cp=700, won_plies=4, level_cp=8, level_plies=10, level_from_ply=60, most_plies=300)


@dataclass(frozen=True, slots=True)
class TuningSettings:
    """The names of the numbers, in the order of every setting, and the limits of the games."""

    names: tuple[str, ...]
    rules: GameRules = RULES


@dataclass(frozen=True, slots=True)
class PairTask:
    """One pair of games: where they start, and the two settings that meet."""

    fen: str
    first: tuple[int, ...] = field(repr=False)
    second: tuple[int, ...] = field(repr=False)


@compiled
def play_tuning_game(
    board: Board,
    white: SearchMemory,
    black: SearchMemory,
    rules: GameRules,
    settings: NDArray[np.int64],
    values: NDArray[np.int64],
) -> int:
    """Play one game and return its result; rows 0 and 1 of `settings` are written to `values` for White and Black."""
    won = int64(0)  # plies in a row with White (positive) or Black (negative) far ahead
    level = int64(0)
    for ply in range(rules.most_plies):
        if is_drawn(board, white.lists):
            return DRAWN
        if board.side == WHITE:
            values[:] = settings[0]
            move, score = deepen(board, white, rules.soft_nodes, rules.hard_nodes)
        else:
            values[:] = settings[1]
            move, score = deepen(board, black, rules.soft_nodes, rules.hard_nodes)
            score = -score
        if move == NO_MOVE:
            return result_without_moves(board)
        won = far_ahead(rules, won, score)
        level = near_level(rules, level, score)
        make_move(board, move)
        result = called_result(rules, won, level, int64(ply + 1))
        if result != GOES_ON:
            return result
    return DRAWN


class PairPlayer:
    """Plays pairs of games; the numbers belong to the process, so one at a time."""

    def __init__(self, settings: TuningSettings, network: SharedNetwork) -> None:
        """Compile the kernels, or load them; raises RuntimeError in a process whose numbers cannot be changed."""
        table = tunables_of("engine88.search.params")
        warm_up()
        self._values = table.values
        self._slots = [table.names.index(name) for name in settings.names]
        self._rules = settings.rules
        self._searching = tuple(Searching(TABLE_MB, network.loaded()) for _ in range(2))

    def play(self, task: PairTask) -> int:
        """Play both games of a pair and return the half points, 0 to 4, of the first setting."""
        shipped = self._values.copy()
        try:
            first_white = self._game(task.fen, task.first, task.second)
            second_white = self._game(task.fen, task.second, task.first)
        finally:
            self._values[:] = shipped
        return first_white + 2 - second_white

    def _game(self, fen: str, white: tuple[int, ...], black: tuple[int, ...]) -> int:
        """Play one game; White's half points."""
        settings = np.stack([self._values, self._values])
        settings[0, self._slots] = white
        settings[1, self._slots] = black
        for searching in self._searching:
            searching.clear()
        white_memory, black_memory = (searching.memory for searching in self._searching)
        board = copy_board(Position.from_fen(fen).board)
        return int(play_tuning_game(board, white_memory, black_memory, self._rules, settings, self._values))


_playing = threading.Lock()


@functools.lru_cache(maxsize=4)
def _player(settings: TuningSettings, network: SharedNetwork) -> PairPlayer:
    return PairPlayer(settings, network)


def play_pair_task(settings: TuningSettings, network: SharedNetwork, task: PairTask) -> int:
    """Play one pair in this process and return the half points of its first setting."""
    with _playing:
        return _player(settings, network).play(task)
