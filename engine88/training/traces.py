"""Labelled positions, and the coefficients of the weights in them, counted by the kernels of a tracing process.

With the coefficients `c` (White's count minus Black's), the packed weights' halves `m` and `e`, and the units `u`
of attack on each king, the judgement from White's side before the fifty-move damping is

    [phase * (c.m + D(u_black) - D(u_white)) + (24 - phase) * scale / 64 * (c.e + d(u_black) - d(u_white))] / 24
    D(u) = max(u, 0)^2 / 1024        d(u) = max(u, 0) / 16
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.board.moves import is_tactical
from engine88.evaluation.classical.endgames import FULL_SCALE
from engine88.evaluation.classical.terms import TRACING
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen
from engine88.rules.position import Position
from engine88.training.game_file import Game, read_games, unpack_move


@dataclass(frozen=True, slots=True)
class LabelledPosition:
    """A quiet position, how its game ended (1 White won, 0.5 draw, 0) and what the search said (centipawns)."""

    fen: str
    result: float
    score_cp: int


def read_positions(path: Path) -> Iterator[LabelledPosition]:
    """The positions of a file. Raises ValueError that names the line that does not fit."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                fen, result, score_cp = line.rstrip("\n").split(";")
                yield LabelledPosition(fen, float(result), int(score_cp))
            except ValueError as error:
                raise ValueError(f"{path}:{number}: expected 'FEN;result;score', got {line.strip()!r}") from error


SAMPLE_SHARE: Final = 0.5  # of the quiet positions of a game
SKIPPED_PLIES: Final = 4  # at the start of a game: openings are seen often enough
MAX_SCORE_CP: Final = 2000


def quiet_positions(path: Path, seed: int) -> Iterator[LabelledPosition]:
    """Yield a share of the quiet positions of each game, the same ones for the same seed."""
    chooser = random.Random(seed)
    for game in read_games(path):
        yield from (position for position in _of_game(game) if chooser.random() < SAMPLE_SHARE)


def _of_game(game: Game) -> Iterator[LabelledPosition]:
    """Not in check, and the move played neither takes nor promotes: the static evaluation should be reliable."""
    position = Position.from_fen(game.fen)
    for ply, (code, score_cp) in enumerate(zip(game.moves.tolist(), game.scores_cp.tolist(), strict=True)):
        move = position.parse_move(unpack_move(code))
        quiet = abs(score_cp) < MAX_SCORE_CP and not is_tactical(move) and not position.is_check()
        if ply >= SKIPPED_PLIES and quiet:
            yield LabelledPosition(position.fen(), game.result / 2, score_cp)
        position = position.push(move)


@dataclass(frozen=True, slots=True)
class Traces:
    """Positions as arrays of n rows."""

    coefficients: NDArray[np.int8]  # (n, TERM_COUNT), White minus Black
    units: NDArray[np.int8]  # (n, 2, SAFETY_COUNT), against the white and the black king
    phase: NDArray[np.float32]  # 0 to 24
    scale: NDArray[np.float32]  # 0 to 1
    result: NDArray[np.float32]  # of the game: 1 White won
    score_cp: NDArray[np.float32]  # of the search, for White

    def __len__(self) -> int:
        return len(self.phase)

    def rows(self, chosen: NDArray[np.int64]) -> Traces:
        """The same for some of the rows."""
        return Traces(
            self.coefficients[chosen],
            self.units[chosen],
            self.phase[chosen],
            self.scale[chosen],
            self.result[chosen],
            self.score_cp[chosen],
        )


def trace_positions(positions: Iterable[LabelledPosition]) -> Traces:
    """Trace positions; those that a rule for one endgame judges are left out.

    Raises RuntimeError in a process without ENGINE88_TRACE=1, ValueError if no position is left.
    """
    if not TRACING:
        raise RuntimeError("the kernels of this process do not count their terms: start it with ENGINE88_TRACE=1")
    state = new_evaluation_state()
    evaluation = state.classical
    coefficients, units, numbers = [], [], []
    for position in positions:
        evaluation.term_counts[:] = 0
        evaluation.safety_counts[:] = 0
        evaluate(read_fen(position.fen), state)
        if not evaluation.linear:
            continue
        coefficients.append((evaluation.term_counts[0] - evaluation.term_counts[1]).astype(np.int8))
        units.append(evaluation.safety_counts.astype(np.int8))
        scale = int(evaluation.scale) / FULL_SCALE
        numbers.append((int(evaluation.phase), scale, position.result, position.score_cp))
    if not numbers:
        raise ValueError("no positions to fit: run `python -m engine88.training play` first")
    columns = np.array(numbers, dtype=np.float32).T
    return Traces(np.array(coefficients), np.array(units), columns[0], columns[1], columns[2], columns[3])
