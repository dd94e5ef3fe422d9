"""The work of `bot88 review`: analyse the chosen games and write annotated PGN and lost positions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.archive.game_record import GameRecord
from bot.archive.review.review_game import ClusterLost, ReviewTask, run_reviews
from bot.archive.review.values import REVIEWS, GameReview, ReviewsFile
from bot.engine_pool.values import score_text
from bot.errors import ConfigurationError
from bot.settings import EngineEntry

PGN, LOST = "reviewed.pgn", "lost.epd"
_NAGS = {
    "blunder": chess.pgn.NAG_BLUNDER,
    "mistake": chess.pgn.NAG_MISTAKE,
    "inaccuracy": chess.pgn.NAG_DUBIOUS_MOVE,
}


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """How games are reviewed: engine, nodes a position, threads here or the address of a Dask scheduler, folder."""

    entry: EngineEntry
    nodes: int
    jobs: int
    scheduler: str
    folder: Path


def _tell(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True, markup=False)


def engine_entry(entries: Sequence[EngineEntry], name: str) -> EngineEntry:
    """Return the entry with a name, the first one for "". Raises ConfigurationError."""
    found = next((entry for entry in entries if name in ("", entry.name)), None)
    if found is None:
        raise ConfigurationError(
            f"--engine {name}: `engines:` has {', '.join(entry.name for entry in entries) or 'none'}"
        )
    return found


def review(
    games: Sequence[GameRecord],
    options: ReviewOptions,
    stopped: Callable[[], bool],
    console: Console,
    prepare_engine: Callable[[], object],
) -> list[GameReview]:
    """Review the games that have not been reviewed yet; returns the reviews of all that are, in the order of `games`.

    Progress is shown on `console`; `prepare_engine` runs before the first search on this machine. Raises
    ConfigurationError, StartUpError and EngineStartError, and ClusterLost once the finished reviews are written.
    """
    wanted = [game for game in games if game.pgn and game.plies and game.variant in options.entry.variants]
    if len(wanted) < len(games):
        _tell(console, f"{len(games) - len(wanted)} games without moves or of other variants are left out")
    with ReviewsFile(options.folder / REVIEWS, options.entry.name, options.nodes) as file:
        missing = [game for game in wanted if game.game_id not in file.reviews]
        if len(missing) < len(wanted):
            _tell(console, f"{len(wanted) - len(missing)} of {len(wanted)} games were reviewed before")
        lost = _review_missing(missing, options, file, stopped, console, prepare_engine) if missing else None
        pairs = [(game, file.reviews[game.game_id]) for game in wanted if game.game_id in file.reviews]
    _write_files(pairs, options.folder, console)
    if lost is not None:
        left = f"{len(wanted) - len(pairs)} games are left; run the same command to continue"
        raise ClusterLost(f"--scheduler {options.scheduler}: {lost}; {left}") from lost
    return [found for _game, found in pairs]


def _review_missing(
    games: Sequence[GameRecord],
    options: ReviewOptions,
    file: ReviewsFile,
    stopped: Callable[[], bool],
    console: Console,
    prepare_engine: Callable[[], object],
) -> ClusterLost | None:
    """Review until all games are done, a signal arrives or the cluster is lost; return the loss, if any."""
    is_local = not options.scheduler
    if is_local:
        prepare_engine()
    tasks = [ReviewTask(game, options.entry, options.nodes) for game in games]
    with (
        _Progress(console, tasks, is_local=is_local) as progress,
        closing(run_reviews(tasks, options.jobs, options.scheduler, stopped, progress.advance)) as results,
    ):
        try:
            for task, found in results:
                if isinstance(found, GameReview):
                    file.add(found)
                progress.count(task, found)
        except ClusterLost as lost:
            return lost
    if stopped():
        left = sum(game.game_id not in file.reviews for game in games)
        _tell(console, f"stopped: {left} games are left; run the same command to continue")
    return None


class _Progress:
    """A bar over the positions of all games with the time that is left; without a terminal a line a game."""

    def __init__(self, console: Console, tasks: Sequence[ReviewTask], *, is_local: bool) -> None:
        self._console = console
        self._is_local = is_local
        self._games, self._done = len(tasks), 0
        counted, left = (BarColumn(), MofNCompleteColumn()), (TextColumn("positions, left"), TimeRemainingColumn())
        columns = (TextColumn("{task.description}"), *counted, *left)
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
        positions = sum(task.game.plies for task in tasks)
        self._task = self._bar.add_task(self._title(), total=positions)

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def advance(self) -> None:
        """Count a position that was analysed here."""
        self._bar.advance(self._task)

    def count(self, task: ReviewTask, found: GameReview | str) -> None:
        """Count a game, and its positions if a cluster analysed them; report the reason if there is no review."""
        if isinstance(found, str):
            _tell(self._console, f"{task.game.game_id} is not reviewed: {found}")
        self._done += 1
        self._bar.update(self._task, advance=0 if self._is_local else task.game.plies, description=self._title())
        if not self._console.is_terminal:
            _tell(self._console, f"{self._done} of {self._games}  {task.game.game_id}")

    def _title(self) -> str:
        return f"Reviewed {self._done} of {self._games} games"


def _write_files(pairs: Sequence[tuple[GameRecord, GameReview]], folder: Path, console: Console) -> None:
    """Write the annotated games and the lost positions, over those of an earlier review."""
    if not pairs:
        return
    lost = [line for game, found in pairs for line in lost_positions(game, found)]
    try:
        (folder / PGN).write_text(annotated_games(pairs), encoding="utf-8")
        (folder / LOST).write_text("".join(f"{line}\n" for line in lost), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{folder}: cannot be written: {error}") from error
    _tell(console, f"{folder / PGN}: {len(pairs)} games annotated; {folder / LOST}: {len(lost)} lost positions")


def annotated_pgn(kept: GameRecord, review: GameReview) -> str:
    """Return the game with the review's score after each move, a NAG and the better line at the bad ones.

    The scores and sources noted during the game are replaced; the clocks stay.
    """
    game = chess.pgn.read_game(io.StringIO(kept.pgn))
    assert game is not None  # it was reviewed
    game.headers["Annotator"] = f"{review.engine}, {review.nodes} nodes a position"
    for node, move in zip(list(game.mainline()), review.moves, strict=True):
        clock_s = node.clock()
        node.comment = ""
        if not node.board().is_game_over():
            node.set_eval(move.after)
        if clock_s is not None:
            node.set_clock(clock_s)
        if move.judgement:
            node.nags.add(_NAGS[move.judgement])
            scores = f"{score_text(move.before)} > {score_text(move.after)}"
            node.comment = f"{move.judgement.capitalize()}: {scores}. {node.comment}".strip()
            if move.better:
                board = node.parent.board()
                node.parent.add_line([board.push_san(san) for san in move.better])
    return str(game)


def annotated_games(pairs: Iterable[tuple[GameRecord, GameReview]]) -> str:
    """Return all games, an empty line between two."""
    return "\n\n".join(annotated_pgn(kept, review) for kept, review in pairs) + "\n"


def lost_positions(kept: GameRecord, review: GameReview) -> Iterator[str]:
    """Yield the positions before our blunders as EPD lines, with the better move (bm), ours (am) and where it was."""
    game = chess.pgn.read_game(io.StringIO(kept.pgn))
    assert game is not None  # it was reviewed
    for node, move in zip(game.mainline(), review.moves, strict=True):
        if move.is_ours and move.judgement == "blunder" and move.better:
            board = node.parent.board()
            best = board.parse_san(move.better[0])
            yield board.epd(bm=[best], am=[node.move], id=f"{review.game_id} {move}")
