"""The UCI commands that need the engine.

Position, go and options, and the commands for people (``d``, ``eval``, ``bench``, perft).
"""

import gc
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from engine88.compiler.warmup import wait_for_rest
from engine88.contract import MAX_DEPTH, EngineOptions, Limits, SearchInfo, SearchProgress, SearchResult
from engine88.engine import Engine
from engine88.rules.fen import START_FEN, FenError
from engine88.rules.position import Position
from engine88.uci.bench import BENCH_DEPTH, run_bench
from engine88.uci.options import apply_option, is_clear_hash
from engine88.uci.text import (
    GoCommand,
    PerftCommand,
    UciError,
    bestmove_line,
    evaluation_lines,
    info_line,
    parse_go,
    parse_position,
    parse_setoption,
    progress_lines,
    whole_number,
)

Job = Callable[[Callable[[], bool]], object]
"""A long task of the search thread; it is given a function that returns True once the task should end."""


class Session:
    """An engine, the position the GUI set up, and what the GUI may do with them."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """Make an engine with the default options and the start position."""
        self._write = write
        self._options = EngineOptions()
        self._engine = Engine(self._options)
        self._reported_evaluation = ""
        self._root: tuple[str | None, bool] = (None, False)
        self._moves: tuple[str, ...] = ()
        self._position = Position.start()
        self._job_stopped = threading.Event()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "isready": lambda _: self._write("readyok"),
            "ucinewgame": lambda _: self._engine.new_game(),
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "ponderhit": lambda _: self._engine.ponderhit(),
            "d": lambda _: self._display(),
            "eval": lambda _: self._evaluate(),
            "bench": self._bench,
            "debug": lambda _: None,
            "register": lambda _: None,
        }
        self._warm()
        # What lives now lives as long as the process: the collector need not look at it again in the middle of a game.
        gc.collect()
        gc.freeze()

    def _warm(self) -> None:
        """Go once through all that a search needs, so that no game waits for code to be loaded."""
        self._engine.search(self._position, Limits(depth=2), lambda _: None)
        self._engine.new_game()

    def execute(self, words: list[str]) -> None:
        """Execute one command; raises UciError when it makes no sense."""
        command = self._commands.get(words[0])
        if command is None:
            raise UciError(f"unknown command {words[0][:40]!r}; there are uci, quit, {', '.join(self._commands)}")
        command(words[1:])

    def close(self) -> None:
        """End the search, letting it answer."""
        self._stop()
        self._engine.close()

    # -- options and positions

    def _set_option(self, words: list[str]) -> None:
        """``setoption name NAME [value VALUE]``."""
        name, value = parse_setoption(words)
        if is_clear_hash(name):
            self._engine.clear_hash()
            return
        self._options = apply_option(self._options, name, value)
        try:
            self._engine.configure(self._options)
        except MemoryError:
            self._options = self._engine.options
            raise UciError(f"setoption: there is no memory for {name!r} = {value}; it stays as it was") from None
        if name.lower() == "evalfile":
            self._report_evaluation()

    def _report_evaluation(self) -> None:
        """Report once what evaluates, not before the first search: some GUIs take any line before it for a fault."""
        if self._reported_evaluation != self._engine.evaluation_note:
            self._reported_evaluation = self._engine.evaluation_note
            self._write(f"info string {self._reported_evaluation}")

    def _set_position(self, words: list[str]) -> None:
        """``position ...``: if the game continues, only the new moves are played."""
        command = parse_position(words)
        root = (command.fen, self._options.chess960)
        known = len(self._moves)
        if root == self._root and command.moves[:known] == self._moves:
            position, new = self._position, command.moves[known:]
        else:
            position, new = _position_of(command.fen, self._options.chess960), command.moves
        for move in new:
            position = _after(position, move)
        self._root, self._moves, self._position = root, command.moves, position

    # -- searching

    def _go(self, words: list[str]) -> None:
        """``go ...``: start a search or a perft in the engine's threads."""
        command = parse_go(words)
        if isinstance(command, PerftCommand):
            self._submit_job(partial(self._perft, self._position, command.depth))
            return
        command = self._with_legal_moves(command)
        if command.mistake:
            self._write(f"info string {command.mistake}")
        self._stop_job()
        job = self._engine.start(self._position, command.limits, self._show, self._show_progress)
        job.add_done_callback(self._answer)

    def _with_legal_moves(self, command: GoCommand) -> GoCommand:
        """Return the command without the moves of ``searchmoves`` that are not legal."""
        legal: list[str] = []
        for move in command.limits.searchmoves:
            try:
                self._position.parse_move(move)
                legal.append(move)
            except ValueError as error:
                command = command.with_mistake(f"go: {error}")
        return replace(command, limits=replace(command.limits, searchmoves=tuple(legal)))

    def _show(self, info: SearchInfo) -> None:
        """Write an info."""
        self._report_evaluation()
        self._write(info_line(info))

    def _show_progress(self, progress: SearchProgress) -> None:
        """Write the progress of a long search."""
        for line in progress_lines(progress):
            self._write(line)

    def _answer(self, job: "Future[SearchResult]") -> None:
        """Write the best move; a search that failed still answers, so that the GUI does not wait indefinitely."""
        error = job.exception()
        if error is None:
            self._write(bestmove_line(job.result()))
            return
        traceback.print_exception(error)
        self._write(f"info string internal error in the search: {type(error).__name__}: {' '.join(str(error).split())}")
        self._write(bestmove_line(SearchResult(next(iter(self._position.legal_moves()), None))))

    def _stop(self) -> None:
        """End whatever the engine's threads do; a search answers."""
        self._stop_job()
        self._engine.stop()

    def _stop_job(self) -> None:
        """End a perft or bench."""
        self._job_stopped.set()

    # -- for people

    def _submit_job(self, job: Job) -> None:
        """Do a long job in the engine's thread, so that the loop stays awake."""
        self._stop()
        self._job_stopped = stopped = threading.Event()  # an event for each job: a stop can precede its beginning
        self._engine.run_in_search_thread(partial(self._run_job, job, stopped.is_set))

    def _run_job(self, job: Job, is_stopped: Callable[[], bool]) -> None:
        """Do the job, which calls ``is_stopped`` now and then."""
        try:
            job(is_stopped)
        except Exception as error:  # noqa: BLE001 -- reported; the thread must go on to the next search
            traceback.print_exception(error)
            self._write(f"info string internal error: {type(error).__name__}: {' '.join(str(error).split())}")

    def _perft(self, position: Position, depth: int, is_stopped: Callable[[], bool]) -> None:
        """``go perft N``: nodes under each move and their sum, as Stockfish prints them."""
        wait_for_rest()
        total = 0
        for move in position.legal_moves() if depth > 0 else ():
            nodes = position.push(move).perft(depth - 1, is_stopped)
            if is_stopped():
                self._write("info string perft was stopped")
                return
            total += nodes
            self._write(f"{move}: {nodes}")
        self._write("")
        self._write(f"Nodes searched: {total if depth > 0 else 1}")

    def _bench(self, words: list[str]) -> None:
        """``bench [DEPTH]``: in the engine's thread."""
        depth = whole_number(words[0]) if words else BENCH_DEPTH
        if depth is None or not 1 <= depth <= MAX_DEPTH:
            raise UciError(f"bench: the depth must be a whole number from 1 to {MAX_DEPTH}, not {words[0][:40]!r}")
        self._submit_job(partial(run_bench, self._write, depth))

    def _display(self) -> None:
        """``d``: the board drawn, FEN and key."""
        for line in str(self._position).splitlines():
            self._write(line)
        self._write(f"Fen: {self._position.fen()}")
        self._write(f"Key: {self._position.key:016X}")

    def _evaluate(self) -> None:
        """``eval``: a table of the terms and the static evaluation, as White sees them."""
        wait_for_rest()
        for line in evaluation_lines(self._engine.evaluate(self._position)):
            self._write(line)


def _position_of(fen: str | None, chess960: bool) -> Position:
    """Set up a FEN, or the start position; raises UciError that says what is wrong with it."""
    try:
        return Position.from_fen(START_FEN if fen is None else fen, chess960)
    except FenError as error:
        raise UciError(f"position: {error}") from None


def _after(position: Position, move: str) -> Position:
    """Play a move; raises UciError when it is not legal."""
    try:
        return position.push(move)
    except ValueError as error:
        raise UciError(f"position: {error}; the position stays as it was") from None
