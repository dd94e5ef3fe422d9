"""Self-play at a fixed number of nodes; the quiet positions of each game, labelled with its result."""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine88.board.defs import WHITE
from engine88.board.moves import is_tactical
from engine88.compiler.jit import warm_up
from engine88.control.deepening import Line, Searcher
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable
from engine88.training.weights_tuner.dataset import LabelledPosition
from engine88.training.weights_tuner.openings import read_openings

TABLE_MB: Final = 8
SAMPLE_SHARE: Final = 0.5  # of the quiet positions of a game
SKIPPED_PLIES: Final = 4  # at the start of a game: openings are seen often enough
DECIDED_CP: Final = 1000  # a game is won once both sides agree on this for DECIDED_PLIES
DECIDED_PLIES: Final = 6
LEVEL_CP: Final = 8  # and drawn once they agree on this for LEVEL_PLIES after LEVEL_FROM_PLY
LEVEL_PLIES: Final = 16
LEVEL_FROM_PLY: Final = 80
MOST_PLIES: Final = 400
UNBALANCED_CP: Final = 400  # starts further from level than this are played by nobody


@dataclass(slots=True)
class GameRecord:
    """What a game leaves behind: its quiet positions with White's score, and all scores for adjudication."""

    quiet: list[tuple[str, int]] = field(default_factory=list)
    white_scores: list[int] = field(default_factory=list)

    def adjudicated(self) -> float | None:
        """White's result if the scores leave no doubt, else None."""
        last = self.white_scores[-DECIDED_PLIES:]
        if len(last) == DECIDED_PLIES and min(last) > DECIDED_CP:
            return 1.0
        if len(last) == DECIDED_PLIES and max(last) < -DECIDED_CP:
            return 0.0
        level = self.white_scores[-LEVEL_PLIES:]
        if len(self.white_scores) >= LEVEL_FROM_PLY and max(map(abs, level)) <= LEVEL_CP:
            return 0.5
        return None


def random_start(fens: list[str], random_plies: int, chooser: random.Random) -> Position:
    """An opening position with a few random moves on top, not over yet."""
    while True:
        position = Position.from_fen(chooser.choice(fens))
        for _ in range(random_plies):
            if position.outcome() is None:
                position = position.push(chooser.choice(position.legal_codes()))
        if position.outcome() is None:
            return position


def play_game(searcher: Searcher, position: Position, nodes: int) -> tuple[GameRecord, float] | None:
    """Play a game with itself; its record and White's result, None for a start that is decided already."""
    record = GameRecord()
    for ply in range(MOST_PLIES):
        outcome = position.outcome(claim_draw=True)
        if outcome is not None:
            return record, 0.5 if outcome.winner is None else float(outcome.winner == WHITE)
        searcher.set_position(position)
        line = searcher.run(max_nodes=nodes)
        if line is None:
            raise RuntimeError(f"no move within {nodes} nodes in {position.fen()}: allow more nodes")
        white_score = line.score if position.side == WHITE else -line.score
        if ply == 0 and abs(white_score) > UNBALANCED_CP:
            return None
        record.white_scores.append(white_score)
        if (result := record.adjudicated()) is not None:
            return record, result
        if ply >= SKIPPED_PLIES and is_quiet(position, line):
            record.quiet.append((position.fen(), white_score))
        position = position.push(line.pv[0])
    return record, 0.5


def is_quiet(position: Position, line: Line) -> bool:
    """Not in check, and the best move neither takes nor promotes: the static judgement should tell the truth."""
    return abs(line.score) < 2 * DECIDED_CP and not position.is_check() and not is_tactical(line.pv[0])


def labelled_games(
    fens: list[str], games: int, nodes: int, random_plies: int, seed: int
) -> Iterator[list[LabelledPosition]]:
    """The sampled positions of each of `games` games."""
    chooser = random.Random(seed)
    table = TranspositionTable(TABLE_MB)
    searcher = Searcher(table)
    played = 0
    while played < games:
        table.clear()
        searcher.new_game()
        game = play_game(searcher, random_start(fens, random_plies, chooser), nodes)
        if game is None:
            continue
        played += 1
        record, result = game
        chosen = (item for item in record.quiet if chooser.random() < SAMPLE_SHARE)
        yield [LabelledPosition(fen, result, score) for fen, score in chosen]


def play_games(openings: Path, out: Path, games: int, nodes: int, random_plies: int, seed: int) -> None:
    """Append the labelled positions of `games` games to a file; progress goes to stderr."""
    fens = read_openings(openings)
    warm_up()
    count = 0
    with out.open("a", encoding="utf-8") as stream:
        for number, positions in enumerate(labelled_games(fens, games, nodes, random_plies, seed), 1):
            stream.writelines(position.to_line() for position in positions)
            stream.flush()
            count += len(positions)
            if number % 50 == 0 or number == games:
                print(f"{number} games, {count} positions", file=sys.stderr, flush=True)  # noqa: T201 -- progress of a tool
