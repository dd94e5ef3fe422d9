"""Labelled positions: files of them, and the quiet positions of games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine88.board.moves import is_tactical
from engine88.rules.position import Position
from engine88.training.game_file import Game, read_games, unpack_move


@dataclass(frozen=True, slots=True)
class LabelledPosition:
    """A quiet position, how its game ended (1 White won, 0.5 draw, 0) and what the search said (centipawns)."""

    fen: str
    result: float
    score_cp: int

    def to_line(self) -> str:
        """Its line in a file."""
        return f"{self.fen};{self.result:g};{self.score_cp}\n"


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
