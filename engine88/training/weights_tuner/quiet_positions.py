"""The quiet positions of files of games, as the fit of the weights needs them."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine88.board.moves import is_tactical
from engine88.rules.position import Position
from engine88.training.game_file import Game, read_games, unpack_move
from engine88.training.weights_tuner.dataset import LabelledPosition

SAMPLE_SHARE: Final = 0.5  # of the quiet positions of a game
SKIPPED_PLIES: Final = 4  # at the start of a game: openings are seen often enough
MAX_SCORE_CP: Final = 2000


def quiet_positions(path: Path, seed: int) -> Iterator[LabelledPosition]:
    """Yield a share of the quiet positions of each game, the same ones for the same seed."""
    chooser = random.Random(seed)
    for game in read_games(path):
        yield from (position for position in _of_game(game) if chooser.random() < SAMPLE_SHARE)


def _of_game(game: Game) -> Iterator[LabelledPosition]:
    """Not in check, and the move played neither takes nor promotes: the static judgement should tell the truth."""
    position = Position.from_fen(game.fen)
    for ply, (code, score_cp) in enumerate(zip(game.moves.tolist(), game.scores_cp.tolist(), strict=True)):
        move = position.parse_move(unpack_move(code))
        quiet = abs(score_cp) < MAX_SCORE_CP and not is_tactical(move) and not position.is_check()
        if ply >= SKIPPED_PLIES and quiet:
            yield LabelledPosition(position.fen(), game.result / 2, score_cp)
        position = position.push(move)
