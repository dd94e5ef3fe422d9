"""A pair of games between two settings of the time manager, on a clock that counts nodes instead of time.

So the result depends only on the settings, and a busy machine plays like a quiet one. NODES_PER_MS nodes
stand for a millisecond; moves cost no overhead.
"""

import functools
import threading
from dataclasses import dataclass, field
from typing import Final

from engine88.board.defs import WHITE
from engine88.board.move_list import new_move_list
from engine88.contract import Limits
from engine88.control.deepening import PvLine, Searcher
from engine88.control.running_search import iteration_of
from engine88.control.time_manager import TimeManagerState, TimeParams, allocate, should_stop
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable
from engine88.training.compiled import int64
from engine88.training.selfplay.game import (
    BLACK_WON,
    DRAWN,
    GOES_ON,
    WHITE_WON,
    GameRules,
    called_result,
    far_ahead,
    is_drawn,
    near_level,
    result_without_moves,
)
from engine88.training.selfplay.player import SharedNetwork
from engine88.training.tuning.time_numbers import time_params
from engine88.training.tuning.tuning_games import RULES, PairTask

NODES_PER_MS: Final = 100
TABLE_MB: Final = 8


@dataclass(frozen=True, slots=True)
class ClockGameSettings:
    """The names of the numbers, in the order of every setting; the clock, in nodes; when a game is over."""

    names: tuple[str, ...]
    base_nodes: int
    increment_nodes: int
    rules: GameRules = RULES


@dataclass(slots=True)
class _Side:
    """One player: its numbers, its memory, what is left on its clock."""

    searcher: Searcher
    table: TranspositionTable
    params: TimeParams = field(default_factory=TimeParams)
    left_ms: float = 0.0


class ClockPairPlayer:
    """Plays pairs of games."""

    def __init__(self, settings: ClockGameSettings, network: SharedNetwork) -> None:
        """Make two searchers with a table each."""
        self._settings = settings
        self._network = network.loaded()  # the searchers point into its memory
        self._lists = new_move_list()
        self._sides = [self._side(), self._side()]

    def play(self, task: PairTask) -> int:
        """Play both games of a pair and return the half points, 0 to 4, of the first setting."""
        first, second = (time_params(self._settings.names, values) for values in (task.first, task.second))
        return self._game(task.fen, first, second) + 2 - self._game(task.fen, second, first)

    def _side(self) -> _Side:
        table = TranspositionTable(TABLE_MB)
        searcher = Searcher(table, network=self._network)
        return _Side(searcher, table)

    def _game(self, fen: str, white: TimeParams, black: TimeParams) -> int:
        """Play one game; White's half points."""
        rules = self._settings.rules
        for side, params in zip(self._sides, (white, black), strict=True):
            side.table.clear()
            side.searcher.new_game()
            side.params, side.left_ms = params, self._settings.base_nodes / NODES_PER_MS
        position, won, level = Position.from_fen(fen), int64(0), int64(0)
        for ply in range(rules.most_plies):
            if is_drawn(position.board, self._lists):
                return DRAWN
            is_white = position.side == WHITE
            line = self._think(self._sides[0 if is_white else 1], position)
            if line is None:
                result = int(result_without_moves(position.board))
                return result if not position.legal_moves() else (BLACK_WON if is_white else WHITE_WON)
            score = int64(line.score if is_white else -line.score)
            won = int64(far_ahead(rules, won, score))
            level = int64(near_level(rules, level, score))
            position = position.push(position.move_name(line.pv[0]))
            result = int(called_result(rules, won, level, int64(ply + 1)))
            if result != GOES_ON:
                return result
        return DRAWN

    def _think(self, side: _Side, position: Position) -> PvLine | None:
        """Search for as long as the time manager says; None without a legal move, or when the flag has fallen."""
        legal = len(position.legal_moves())
        increment_ms = self._settings.increment_nodes / NODES_PER_MS
        clock = int(side.left_ms)
        limits = Limits(wtime_ms=clock, btime_ms=clock, winc_ms=int(increment_ms), binc_ms=int(increment_ms))
        budget = allocate(limits, position.side == WHITE, 0, side.params)
        if not legal or budget is None:
            return None
        state, searcher = TimeManagerState(), side.searcher

        def on_line(line: PvLine) -> bool:
            nonlocal state
            if not line.completed:
                return False
            state = state.updated(iteration_of(line))
            return should_stop(budget, state, searcher.nodes / NODES_PER_MS, legal, side.params)

        side.table.new_search()
        searcher.set_position(position)
        best = searcher.run(max_nodes=max(1, int(budget.hard_ms * NODES_PER_MS)), on_line=on_line)
        side.left_ms += increment_ms - searcher.nodes / NODES_PER_MS
        if side.left_ms <= 0.0:
            return None
        if best is None:  # not even one ply within the limit
            searcher.set_position(position)
            best = searcher.run(1)
        return best


_playing = threading.Lock()


@functools.lru_cache(maxsize=4)
def _player(settings: ClockGameSettings, network: SharedNetwork) -> ClockPairPlayer:
    return ClockPairPlayer(settings, network)


def play_clock_task(settings: ClockGameSettings, network: SharedNetwork, task: PairTask) -> int:
    """Play one pair in this process and return the half points of its first setting."""
    with _playing:
        return _player(settings, network).play(task)
