"""The error of networks against the scores of a stronger engine, on positions of games.

    python -m benchmarks.evaluation_error score POSITIONS GAMES.pgn ... --command stockfish --nodes 200000 --each 12
    python -m benchmarks.evaluation_error compare POSITIONS default NETWORK.npz ...

`score` writes a line `FEN | centipawns` for each position, seen by the side to move: quiet ones, at most `--each` of a
game, drawn at random. `compare` prints the mean squared error of the expected result, times 10,000, and the difference
from the first network's, with a 95 % bar. Each network has the scale of centipawns that suits it best.
"""

import argparse
import random
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np
from numpy.typing import NDArray

from engine88.control.reports import static_evaluation
from engine88.evaluation.network.loaded_network import load_network, network_file
from engine88.rules.position import Position
from engine88.training.network_trainer.trainer import expected_result

MOST_CP = 2000
"""Positions beyond it are left out: both sides know who wins."""
LEAST_PIECES = 8
MATE_CP = 30_000
SCALES = np.geomspace(80, 700, 80)
"""Centipawns that turn the odds by a factor of e; the best of them is taken."""
Values = NDArray[np.float64]


def quiet_positions(game: chess.pgn.Game) -> list[str]:
    """The FENs of a game whose side to move is not in check and did not capture next."""
    board, found = game.board(), []
    for move in game.mainline_moves():
        if not (board.is_check() or board.is_capture(move)) and len(board.piece_map()) >= LEAST_PIECES:
            found.append(board.fen())
        board.push(move)
    return found


def games(paths: Sequence[Path]) -> Iterator[chess.pgn.Game]:
    """All games of the files."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                yield game


def score(options: argparse.Namespace) -> None:
    """Score positions of games by an engine, each with a cleared table; raises FileExistsError for a file to write."""
    chooser = random.Random(options.seed)
    limit = chess.engine.Limit(nodes=options.nodes)
    with (
        chess.engine.SimpleEngine.popen_uci(shlex.split(options.command), timeout=300) as engine,
        options.positions.open("x", encoding="utf-8") as file,
    ):
        for game in games(options.games):
            found = quiet_positions(game)
            for fen in chooser.sample(found, min(options.each, len(found))):
                info = engine.analyse(chess.Board(fen), limit, game=object())
                cp = info["score"].relative.score(mate_score=MATE_CP)
                print(f"{fen} | {cp}", file=file, flush=True)


def read_scored(path: Path) -> tuple[list[Position], Values]:
    """The positions of a file and their scores; raises ValueError for a line of another form, or without any line."""
    positions, scores = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.fullmatch(r"(.+) \| (-?\d+)", line)
        if found is None:
            raise ValueError(f"{path}, line {number}: write `FEN | centipawns`, not {line!r}")
        if abs(int(found[2])) < MOST_CP:
            positions.append(Position.from_fen(found[1]))
            scores.append(float(found[2]))
    if not positions:
        raise ValueError(f"{path}: no position with a score within {MOST_CP} centipawns; score more games")
    return positions, np.array(scores)


def squared_errors(own_cp: Values, wanted: Values) -> tuple[Values, float]:
    """The squared errors of the expected results at the scale whose mean is least, and that scale."""
    each = [np.square(expected_result(own_cp, scale) - wanted) for scale in SCALES]
    best = min(range(len(each)), key=lambda i: float(each[i].mean()))
    return each[best], float(SCALES[best])


def compare(options: argparse.Namespace) -> None:
    """Print a line for each network."""
    positions, scores_cp = read_scored(options.positions)
    wanted = expected_result(scores_cp, options.scale)
    first: Values | None = None
    for name in options.networks:
        network = load_network(network_file(name))
        own = np.array([static_evaluation(position, network).score_cp for position in positions], np.float64)
        errors, scale = squared_errors(own, wanted)
        first = errors if first is None else first
        more = errors - first
        bar = 1.96 * more.std() / np.sqrt(len(more))
        print(
            f"{Path(name).stem}: {1e4 * errors.mean():.1f} in {len(errors):,} positions, scale {scale:.0f} cp, "
            f"{1e4 * more.mean():+.1f} +-{1e4 * bar:.1f}",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Score positions, or compare networks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    scoring = commands.add_parser("score")
    scoring.add_argument("positions", type=Path, help="file to write, a new one")
    scoring.add_argument("games", type=Path, nargs="+", help="PGN files")
    scoring.add_argument("--command", default="stockfish", help="the stronger engine")
    scoring.add_argument("--nodes", type=int, default=200_000, help="nodes per position")
    scoring.add_argument("--each", type=int, default=12, help="positions of a game at most")
    scoring.add_argument("--seed", type=int, default=0)
    scoring.set_defaults(run=score)
    comparing = commands.add_parser("compare")
    comparing.add_argument("positions", type=Path, help="file of scored positions")
    comparing.add_argument("networks", nargs="+", help="network files, or `default`")
    comparing.add_argument("--scale", type=float, default=300.0, help="centipawns of the scores for odds of e")
    comparing.set_defaults(run=compare)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (OSError, ValueError, chess.engine.EngineError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
