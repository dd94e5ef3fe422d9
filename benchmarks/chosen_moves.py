"""What numbers of the search are worth, by the moves that it chooses with them: a stronger engine judges these.

    ENGINE88_TUNABLE=engine88.search.params python -m benchmarks.chosen_moves search OUT A.games NAME=FIRST:SECOND ...
    python -m benchmarks.chosen_moves effects OUT ...

`search` takes a position of each game and searches it `--searches` times from an empty table, each time with a random
half of the changes at their second value, and with `--nodes` nodes or twice as many. Where the moves differ, the
stronger engine scores each of them. It writes a line of JSON a position until it is stopped; run one process a core,
each with a file and a `--seed` of its own. `effects` prints how much expected result a move gains by the second value
of each change, times 10,000, with a 95 % bar, and as a share of what twice the nodes gain: some 60 Elo at 100,000.
"""

import argparse
import json
import random
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import chess.engine
import numpy as np
from numpy.typing import NDArray

from engine88.board.record import copy_board
from engine88.compiler.tunable import tunables_of
from engine88.compiler.warmup import warm_up
from engine88.contract import DEFAULT_NETWORK
from engine88.evaluation.network.loaded_network import load_network, network_file
from engine88.rules.position import Position
from engine88.training.game_file import Game, read_games, unpack_move
from engine88.training.network_trainer.trainer import expected_result
from engine88.training.replay import packed_move
from engine88.training.selfplay.deepen import Searching, deepen
from engine88.training.tuning.factorial import Change, parse_change, regression
from engine88.training.tuning.kind import search_dimensions

TABLE_MB = 16
LEVEL_CP = 300
"""Positions beyond it are left out: most moves win, or none does."""
FIRST_SEARCHES = 4
"""A position whose first searches agree is searched no more."""
SCALE_CP = 150.0
"""Centipawns of the stronger engine that turn the odds by a factor of e."""
MOST_LOSS = 0.08
"""Expected result that a move can lose: a blunder must not outweigh a hundred other moves."""
MATE_CP = 10_000
NODES = "nodes, twice"
Values = NDArray[np.float64]


def position_of(game: Game, picked: random.Random) -> str | None:
    """The FEN of a random position of a game; None where too little is to be decided."""
    if not len(game.moves):
        return None
    at = picked.randrange(len(game.moves))
    board = chess.Board(game.fen)
    for move in game.moves[:at]:
        board.push_uci(unpack_move(int(move)))
    is_level = abs(int(game.scores_cp[at])) <= LEVEL_CP
    return board.fen() if is_level and board.legal_moves.count() > 1 else None


class Chooser:
    """The move of a search with given values of some numbers; raises RuntimeError where numbers are constants."""

    def __init__(self, changes: Sequence[Change]) -> None:
        table = tunables_of("engine88.search.params")
        self._values = table.values
        self._slots = [table.names.index(one.name) for one in changes]
        warm_up()
        self._searching = Searching(TABLE_MB, load_network(network_file(DEFAULT_NETWORK)))

    def move(self, fen: str, values: Sequence[int], nodes: int) -> str:
        """The move after so many nodes, in UCI notation."""
        shipped = self._values.copy()
        self._values[self._slots] = values
        try:
            self._searching.clear()
            move, _ = deepen(copy_board(Position.from_fen(fen).board), self._searching.memory, nodes, nodes)
        finally:
            self._values[:] = shipped
        return unpack_move(int(packed_move(int(move))))


def scores(engine: chess.engine.SimpleEngine, fen: str, moves: Sequence[str], nodes: int) -> dict[str, int]:
    """The centipawns of some moves of a position by one search with `nodes` for each."""
    board = chess.Board(fen)
    infos = engine.analyse(
        board,
        chess.engine.Limit(nodes=nodes * len(moves)),
        multipv=len(moves),
        root_moves=[chess.Move.from_uci(move) for move in moves],
        game=object(),
    )
    found = {info["pv"][0].uci(): info["score"].relative.score(mate_score=MATE_CP) for info in infos}
    if set(found) != set(moves):
        raise ValueError(f"the stronger engine did not score {sorted(set(moves) - set(found))} in {fen}")
    return found


def searched(
    chooser: Chooser, changes: Sequence[Change], fen: str, options: argparse.Namespace, drawn: np.random.Generator
) -> tuple[list[str], list[list[int]]]:
    """The moves of the searches of a position, and for each search which changes and nodes had their second value."""
    moves: list[str] = []
    seconds: list[list[int]] = []
    while len(moves) < (FIRST_SEARCHES if len(set(moves)) < 2 else options.searches):
        *bits, twice = drawn.integers(0, 2, len(changes) + 1).tolist()
        values = [one.second if bit else one.first for one, bit in zip(changes, bits, strict=True)]
        moves.append(chooser.move(fen, values, options.nodes * (1 + twice)))
        seconds.append([*bits, twice])
    return moves, seconds


def search(options: argparse.Namespace) -> None:
    """Write a line for each position; raises FileExistsError for a file to write, ValueError for a wrong change."""
    names = [one.name for one in search_dimensions(())]
    changes = [parse_change(text, names) for text in options.changes]
    picked, drawn = random.Random(options.seed), np.random.default_rng(options.seed)
    chooser, games = Chooser(changes), list(read_games(options.games))
    picked.shuffle(games)
    with (
        chess.engine.SimpleEngine.popen_uci(shlex.split(options.command), timeout=300) as engine,
        options.out.open("x", encoding="utf-8") as file,
    ):
        print(json.dumps([*options.changes, NODES]), file=file)
        for fen in filter(None, (position_of(game, picked) for game in games[: options.positions])):
            moves, seconds = searched(chooser, changes, fen, options, drawn)
            several = sorted(set(moves))
            judged = scores(engine, fen, several, options.judge_nodes) if len(several) > 1 else {}
            print(json.dumps({"moves": moves, "seconds": seconds, "scores": judged}), file=file, flush=True)


def rows(position: dict[str, Any]) -> tuple[Values, Values] | None:
    """Of the searches of a position, the bits as -1 and 1 and the values of the moves, both less their means.

    None where all chose the same move.
    """
    judged = position["scores"]
    if not judged:
        return None
    bits = 2.0 * np.array(position["seconds"]) - 1
    results = expected_result(np.array([judged[move] for move in position["moves"]], np.float64), SCALE_CP)
    values = np.maximum(results, results.max() - MOST_LOSS)
    return bits - bits.mean(0), values - values.mean()


def effects(options: argparse.Namespace) -> None:
    """Print a line for each change; raises ValueError for files of different changes, or with too few positions."""
    files = [[json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in options.files]
    names = files[0][0]
    if any(file[0] != names for file in files):
        raise ValueError("the files have different changes; give those of one set")
    found = [rows(position) for file in files for position in file[1:]]
    different = [one for one in found if one is not None]
    degrees_of_freedom = sum(len(values) - 1 for _, values in different) - len(names)
    if degrees_of_freedom <= 0:
        raise ValueError(f"{len(different)} positions with different moves are too few for {len(names)} changes")
    bits, values = (np.concatenate([one[i] for one in different]) for i in (0, 1))
    slopes, bars = regression(bits, values, degrees_of_freedom)
    unit = 2e4 * len(different) / len(found)
    print(f"{len(found):,} positions, {len(different):,} with different moves")
    for i in np.argsort(-slopes):
        print(f"{names[i]:<44} {unit * slopes[i]:+6.2f} +-{unit * bars[i]:.2f}  {slopes[i] / slopes[-1]:+.2f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Search positions, or print the effects of the changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    searching = commands.add_parser("search")
    searching.add_argument("out", type=Path, help="file to write, a new one")
    searching.add_argument("games", type=Path, help="a file of games of `engine88.training play`")
    searching.add_argument("changes", nargs="+", metavar="NAME=FIRST:SECOND", help="a number, and two values")
    searching.add_argument("--positions", type=int, default=100_000, help="games of which a position is taken, at most")
    searching.add_argument("--nodes", type=int, default=70_000, help="nodes of half of the searches; the others: twice")
    searching.add_argument("--searches", type=int, default=16, help="searches of a position")
    searching.add_argument("--command", default="stockfish", help="the stronger engine")
    searching.add_argument("--judge-nodes", type=int, default=150_000, help="its nodes for each move")
    searching.add_argument("--seed", type=int, default=0)
    searching.set_defaults(run=search)
    showing = commands.add_parser("effects")
    showing.add_argument("files", type=Path, nargs="+", help="files that `search` wrote")
    showing.set_defaults(run=effects)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (OSError, ValueError, RuntimeError, chess.engine.EngineError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
