"""The command `children`: positions one move off the games, labelled by the engine.

They are many, cheap, and unlike those it plays.
A network learns from these first what its teacher knows, the hand-written evaluation or the network before it; the
scores and results of games refine it.
The label of a child is the evaluation (depth 0) or a shallow search (its best move must then be quiet, as in games).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.board.attacks import in_check
from engine88.board.defs import INFINITE
from engine88.board.move_list import MoveList, new_move_list
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.warmup import warm_up
from engine88.contract import DEFAULT_NETWORK, NO_NETWORK
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import EvaluationState, new_evaluation_state
from engine88.evaluation.network.loaded_network import load_network, network_file
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.rules.fen import read_fen
from engine88.rules.legality import is_legal
from engine88.rules.make_move import make_move, unmake_move
from engine88.rules.movegen import generate_legal
from engine88.search.search_root import collect_root_moves, search_root
from engine88.search.search_state import SearchState, clear_histories, new_search_state
from engine88.search.tt import TranspositionTable
from engine88.training.compiled import compiled, int64
from engine88.training.game_file import Extent, GameFileError, checksum, find_games, plies_of
from engine88.training.label import label_cp
from engine88.training.positions import Filter, Samples, first_occurrences, is_held_out, write_samples
from engine88.training.replay import NO_RESULT, SAMPLE_TYPE, engine_move, write_sample
from engine88.training.selfplay.run_file import Progress, say

MOST_MOVES: Final = 256
_NO_LABEL: Final = 32_767
_TABLE_MB: Final = 1


@dataclass(frozen=True, slots=True)
class ChildSettings:
    """The share of the legal moves that is tried, depth of the search that labels, and the seed of the choice.

    `network` is the file of the network that evaluates; None are the hand-written terms.
    """

    share: float = 0.2
    depth: int = 0
    seed: int = 1
    network: Path | None = None


class Labeller(NamedTuple):
    """What the engine's kernels need beside the board."""

    lists: MoveList
    state: SearchState
    evaluation: EvaluationState
    depth: int
    max_score_cp: int


@compiled
def label_of(board: Board, labeller: Labeller) -> int:
    """The label of a position for the side to move, or _NO_LABEL where it is not worth learning."""
    if in_check(board):
        return _NO_LABEL
    state, score_cp = labeller.state, int64(0)
    if labeller.depth == 0:
        score_cp = int64(evaluate(board, labeller.evaluation))
    elif collect_root_moves(board, labeller.lists, state) == 0:
        return _NO_LABEL
    state.pv_index = 0
    state.node_count = 0
    for depth in range(1, labeller.depth + 1):
        bound = int64(INFINITE)
        score_cp = search_root(board, labeller.lists, state, labeller.evaluation, -bound, bound, int64(depth))
        if is_tactical(int64(state.root_moves[0])):  # most that are not quiet show it at depth 1, which is cheap
            return _NO_LABEL
    label = label_cp(board, labeller.evaluation, score_cp)
    return label if abs(label) <= labeller.max_score_cp else _NO_LABEL


@compiled
def walk(
    board: Board, labeller: Labeller, played: NDArray[np.uint16], share: float, seed: int, samples: NDArray[np.void]
) -> int:
    """Play a game through and write children of its positions; their number, or -1 if a move is not legal."""
    np.random.seed(seed)
    moves = np.empty(MOST_MOVES, np.int64)
    count = 0
    for ply in range(played.shape[0]):
        end = generate_legal(board, labeller.lists, int64(0))
        for i in range(end):
            moves[i] = int64(labeller.lists.moves[i])
        chosen = engine_move(board, int64(played[ply]))
        for move in moves[:end]:
            if np.random.random() < share:
                make_move(board, move)
                score_cp = label_of(board, labeller)
                if score_cp != _NO_LABEL:
                    write_sample(board, samples, count)
                    samples[count]["score_cp"] = score_cp
                    samples[count]["result"] = NO_RESULT
                    samples[count]["ply"] = ply + 1
                    count += 1
                unmake_move(board)
        if not is_legal(board, chosen):
            return -1
        make_move(board, chosen)
    return count


class ChildMaker:
    """Makes children of games, with one set of the engine's memory; held-out games have none."""

    def __init__(self, settings: ChildSettings, wanted: Filter) -> None:
        """Compile the engine's kernels, or load them; raises NetworkFileError for a bad network file."""
        warm_up()
        self._settings = settings
        self._wanted = wanted
        self._table = TranspositionTable(_TABLE_MB)
        self._state: Any = new_search_state()
        self._network = load_network(settings.network) if settings.network else None  # its memory must stay alive
        evaluation: Any = new_evaluation_state(self._network)
        self._labeller = Labeller(new_move_list(), self._state, evaluation, settings.depth, wanted.max_score_cp)

    def of_file(self, path: Path, tell: Callable[[str], None]) -> list[Samples]:
        """The children of each game of a file; reports the progress."""
        data = path.read_bytes()
        share = self._wanted.held_out_share
        games = [extent for extent in find_games(data, path) if not is_held_out(checksum(data, extent), share)]
        progress, found, count = Progress(len(games)), [], 0
        for done, extent in enumerate(games, 1):
            found.append(self._of_game(data, extent, path))
            count += len(found[-1])
            if progress.is_due(done, count):
                tell(f"{path.name}: {progress.line()}")
        return found

    def _of_game(self, data: bytes, extent: Extent, path: Path) -> Samples:
        """The same whatever games came before."""
        self._table.clear()
        clear_histories(self._state)
        state, table = self._state, self._table
        state.tt_base, state.tt_buckets, state.generation = table.address, table.buckets, table.generation
        board = read_fen(data[extent.start + 1 : extent.tail].decode("ascii"))
        moves = np.ascontiguousarray(plies_of(data, extent)["move"])
        samples: Samples = np.zeros(MOST_MOVES * len(moves), SAMPLE_TYPE)  # memory not touched costs nothing
        seed = (checksum(data, extent) + self._settings.seed) & 0xFFFFFFFF
        count = walk(board, self._labeller, moves, self._settings.share, seed, samples)
        if count < 0:
            raise GameFileError(f"{path}: the game at byte {extent.start} holds a move that is not legal")
        return samples[:count].copy()


def make_children(
    paths: Sequence[Path], settings: ChildSettings, wanted: Filter, tell: Callable[[str], None]
) -> Samples:
    """The distinct children of the games of all files."""
    maker = ChildMaker(settings, wanted)
    parts: list[Samples] = [np.empty(0, SAMPLE_TYPE)]
    for path in paths:
        games = maker.of_file(path, tell)
        parts += games
        tell(f"{path.name}: {len(games):,} games, {sum(map(len, games)):,} children")
    samples = np.concatenate(parts)
    return samples[first_occurrences(samples)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("games", type=Path, nargs="+", help="files of games")
    parser.add_argument("--out", type=Path, required=True, help="file of samples to write (.npy)")
    parser.add_argument("--share", type=float, default=0.2, help="share of the legal moves that is tried, 0 to 1")
    parser.add_argument("--depth", type=int, default=0, help="depth of the search that labels; 0 is the evaluation")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    parser.add_argument("--max-score", type=int, default=Filter().max_score_cp, help="largest |score|, centipawns")
    parser.add_argument("--seed", type=int, default=1)


def run(options: argparse.Namespace) -> int:
    """Make and write what the options say; returns the exit status."""
    network = None if options.network == NO_NETWORK else network_file(options.network)
    settings = ChildSettings(options.share, options.depth, options.seed, network)
    try:
        samples = make_children(options.games, settings, Filter(max_score_cp=options.max_score), say)
    except (OSError, GameFileError, NetworkFileError) as error:
        say(f"children: {error}")
        return 1
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_samples(options.out, samples)
    say(f"{options.out}: {len(samples):,} distinct positions")
    return 0
