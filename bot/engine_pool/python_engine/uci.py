"""The UCI side: reads commands, lets the class search on a thread, and always answers with a legal move."""

from __future__ import annotations

import ctypes
import inspect
import itertools
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

import chess
import chess.engine
import chess.variant

from bot.engine_pool.fallback_move import fallback_move
from bot.engine_pool.python_engine.author import Author, Declared, OptionValue
from bot.engine_pool.python_engine.author_file import EngineFile, EngineFileError, author_line, describe
from bot.engine_pool.python_engine.results import BadResultError, as_result, info_line
from bot.engine_pool.values import CLOCK_SHARE, ERROR, MAX_CLOCK_SHARE, OFFERS_DRAW, RESIGNS

GRACE_S = 0.1  # after `stop`, for a class that can be stopped
MOST_HALVINGS = 6  # of the time of a class that hangs move after move


class Interrupted(SystemExit):
    """Raised within a class that did not answer in time."""


def deadline_s(limit: chess.engine.Limit, turn: chess.Color, hangs: int) -> float | None:
    """Return when a search counts as hung, a little before the bot's pool would send `stop`; None without a clock.

    Each of the `hangs` just before it halves the time, down to 1/256 of the clock: a class that hangs at every move
    must not lose a game of two hundred moves on time.
    """
    clock_s = limit.white_clock if turn else limit.black_clock
    increment_s = (limit.white_inc if turn else limit.black_inc) or 0.0
    if clock_s is not None:
        whole_s = max(0.05, 0.97 * min(MAX_CLOCK_SHARE * clock_s, CLOCK_SHARE * clock_s + increment_s) - 0.02)
        return whole_s * 0.5 ** min(hangs, MOST_HALVINGS)
    return None if limit.time is None else 2 * limit.time + 10.0


class Adapter:
    """One conversation. Raises EngineFileError if the file holds no usable engine."""

    def __init__(self, file: EngineFile, output: TextIO) -> None:
        self._file, self._output = file, output
        self._writing = threading.Lock()
        self._reported: set[str] = set()
        self.hangs = 0  # searches in a row that had to be interrupted
        self._class = file.load()
        self.declared = Declared(self._class)
        self._options: dict[str, OptionValue] = {name: one.default for name, one in self.declared.options.items()}
        self._author: Author | None = None
        self._new_author()
        self._managed: dict[str, str] = {}
        self._board = chess.Board()
        self._search: Search | None = None

    def run(self, commands: Iterable[str]) -> None:
        """Obey until `quit`."""
        for line in commands:
            words = line.split()
            if words[:1] == ["quit"]:
                return
            try:
                self._obey(words[0] if words else "", words[1:])
            except (ValueError, IndexError) as error:
                self.report(f"cannot read {line.strip()!r}: {error}")

    def _obey(self, command: str, words: list[str]) -> None:
        if command == "uci":
            self.say(*self.declared.lines())
        elif command == "isready":
            self.say("readyok")
        elif command == "setoption":
            self._set_option(words)
        elif command == "ucinewgame":
            self._new_game()
        elif command == "position":
            self._position(words)
        elif command == "go":
            self._wait()
            self._search = Search(self, self._board.copy(), words)
            self._search.start()
        elif command == "stop" and self._search is not None:
            self._search.stop()
        elif command == "ponderhit" and self._search is not None:
            self._search.ponderhit()

    def _wait(self) -> None:
        """Let the previous search end."""
        if self._search is not None:
            self._search.stop()
            self._search.ended.wait()
            self._search = None

    def say(self, *lines: str) -> None:
        """Write lines to the GUI."""
        with self._writing:
            self._output.write("".join(f"{line}\n" for line in lines))
            self._output.flush()

    def report(self, text: str, *, trace: str = "", key: str = "") -> None:
        """Report a fault of the class, once for each `key` (default: the text), to the GUI and to standard error."""
        if (key or text) not in self._reported:
            self._reported.add(key or text)
            sys.stderr.write(f"{trace}{text}\n")
            sys.stderr.flush()
            self.say(f"info string {ERROR} {text}")

    def report_error(self, error: BaseException) -> str:
        """Report an exception; return its description."""
        text = describe(error, self._file.folder)
        trace = "" if isinstance(error, EngineFileError) else "".join(traceback.format_exception(error))
        self.report(text, trace=trace)
        return text

    @property
    def folder(self) -> Path:
        """Where the author's code is."""
        return self._file.folder

    @property
    def file_name(self) -> str:
        """The name of the author's file."""
        return self._file.path.name

    # -- the author's object ----------------------------------------------------------------------------------------

    @property
    def author(self) -> Author:
        """The object that plays; a new one if the last was given up."""
        if self._author is None:
            self._new_author()
        assert self._author is not None
        return self._author

    def give_up(self) -> None:
        """Use another object from now on: a thread still runs in this one."""
        self._author = None

    def _new_author(self) -> None:
        try:
            self._author = Author(self._class, self.declared, self._options)
        except (Exception, SystemExit) as error:
            raise EngineFileError(describe(error, self._file.folder)) from error

    def _new_game(self) -> None:
        self._wait()
        self.hangs = 0
        try:
            if self._file.changed():
                self._class = self._file.load()
                self._author = None
                self.say(f"info string {self._file.path.name} has changed: using the new version")
            elif self._author is not None and not self._author.new_game():
                self._author = None
            self.author  # noqa: B018 -- makes the object, so that the first move does not wait for it
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- the author's; it is reported, and the game continues
            self.report_error(error)

    # -- commands ---------------------------------------------------------------------------------------------------

    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words[1:])
        name, _, value = text.partition(" value ")
        if name not in self.declared.options:
            self._managed[name] = value
            return
        try:
            self._options[name] = self.declared.options[name].parse(value)
        except ValueError:
            self.report(f"option {name}: {value!r} is not a number")
            return
        if self._author is not None:
            self._author.set_option(name, self._options[name])

    @property
    def strength(self) -> int | None:
        """The Elo to play at, None for full strength."""
        limited = self._managed.get("UCI_LimitStrength") == "true"
        return int(self._managed.get("UCI_Elo", self.declared.strengths[1])) if limited else None

    def _position(self, words: list[str]) -> None:
        chess960 = self._managed.get("UCI_Chess960") == "true"
        board_type = chess.variant.find_variant(self._managed.get("UCI_Variant", "chess"))
        index = words.index("moves") if "moves" in words else len(words)
        fen = board_type.starting_fen if words[0] == "startpos" else " ".join(words[1:index])
        board = board_type(fen, chess960=chess960)
        for word in words[index + 1 :]:
            board.push_uci(word)
        self._board = board


class AuthorCall:
    """A call of the author's code on a thread of its own. `on_end` is called at its end, but not if interrupted."""

    def __init__(self, call: Callable[[], object], on_end: Callable[[], object]) -> None:
        self.done = threading.Event()
        self.error: BaseException | None = None
        self._call, self._on_end = call, on_end
        self._thread = threading.Thread(target=self._run, name="author", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._call()
        except Interrupted:
            return
        except BaseException as error:  # noqa: BLE001 -- SystemExit too: it is the author's, and is reported
            self.error = error
        self.done.set()
        self._on_end()

    def frames(self) -> traceback.StackSummary:
        """Return where the call is now."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        return traceback.extract_stack(frame) if frame is not None else traceback.StackSummary()

    def interrupt(self) -> None:
        """Raise Interrupted in the call. Code that waits outside Python notices it later."""
        thread_id = ctypes.c_ulong(self._thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread_id, ctypes.py_object(Interrupted))


class Search:
    """One `go`: the class is asked on a worker, which is interrupted if it does not answer in time."""

    def __init__(self, adapter: Adapter, board: chess.Board, words: list[str]) -> None:
        self._adapter, self._board = adapter, board
        self._limit, self._moves = parse_go(words, board)
        self._ponders = "ponder" in words
        self._deadline_s = deadline_s(self._limit, board.turn, adapter.hangs)
        self._given = board.copy()  # the author's code may change it
        self._best: Any = None
        self._news = threading.Event()  # the worker's end, `stop` or `ponderhit`
        self._stopped = self._hit = False
        self._began_s = time.monotonic()
        self.ended = threading.Event()

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, name="search", daemon=True).start()

    def stop(self) -> None:
        """Answer now."""
        self._stopped = True
        self._news.set()

    def ponderhit(self) -> None:
        """The opponent has played the expected move: now the clock runs."""
        self._hit = True
        self._news.set()

    def _run(self) -> None:
        result = chess.engine.PlayResult(None, None)
        try:
            if self._ponders:
                self._ponder()
            if any(self._board.legal_moves) and not (self._ponders and not self._hit):
                result = self._answer()
        except Exception as error:  # noqa: BLE001 -- whatever happens, a GUI waits for a move
            self._adapter.report_error(error)
        move, reply = result.move or fallback_move(self._board), result.ponder or _reply(result)
        words = f"bestmove {self._board.uci(move) if move else '(none)'}"
        self._adapter.say(words + (f" ponder {reply.uci()}" if reply else ""))
        self.ended.set()

    def _ponder(self) -> None:
        """Let the class ponder until `ponderhit` or `stop`."""
        author = self._adapter.author
        worker = None
        if self._adapter.declared.ponders:
            worker = AuthorCall(lambda: author.ponder(self._given), lambda: None)
        while not (self._hit or self._stopped):
            self._news.wait()
            self._news.clear()
        if worker is not None:
            author.stop()
            self._end(worker, author)
            self._report(worker)
        self._given, self._began_s = self._board.copy(), time.monotonic()

    def _answer(self) -> chess.engine.PlayResult:
        """Return the class's result; one without a move if there is none that can be played."""
        author = self._adapter.author
        worker = AuthorCall(lambda: self._choose(author), self._news.set)
        if not self._stopped:
            self._news.wait(self._deadline_s)
        if not worker.done.is_set():
            self._stopped = True
            author.stop()
            self._end(worker, author)
        else:
            self._adapter.hangs = 0
        self._report(worker)
        if self._best is None and (worker.error is not None or not worker.done.is_set()):
            return chess.engine.PlayResult(None, None)
        return self._checked()

    def _choose(self, author: Author) -> None:
        """Keep the result; of a generator the latest, until it is stopped."""
        value = author.choose(self._given, self._limit, self._adapter.strength, self._moves)
        if not inspect.isgenerator(value):
            self._best = value
            return
        for best in value:
            self._best = best
            if self._stopped:
                return

    def _end(self, worker: AuthorCall, author: Author) -> None:
        """End a worker that was asked to stop, by force if it does not."""
        worker.done.wait(GRACE_S if author.can_stop else 0.0)
        if worker.done.is_set():
            return
        spent_s = time.monotonic() - self._began_s
        due_s = self._deadline_s if self._limit.time is None else self._limit.time
        if due_s is not None and spent_s >= due_s and self._best is None:  # not so when a game ends in the search
            where = author_line(worker.frames(), self._adapter.folder) or "choose_move"
            remedy = "limit.time, or limit.white_clock and black_clock, say how long it may think"
            key = where.rpartition(": in ")[2].partition(":")[0]
            self._adapter.hangs += 1
            self._adapter.report(f"{where}: still running after {spent_s:.1f} s; {remedy}", key=f"hang in {key}")
        worker.interrupt()
        self._adapter.give_up()

    def _report(self, worker: AuthorCall) -> None:
        if worker.error is not None:
            self._adapter.report_error(worker.error)

    def _checked(self) -> chess.engine.PlayResult:
        try:
            result = as_result(self._best, self._board)
            if result.info:
                spent_ms = int(1000 * (time.monotonic() - self._began_s))
                self._adapter.say(info_line(result.info, self._board, spent_ms))
        except BadResultError as error:
            self._adapter.report(f"{self._adapter.file_name}: choose_move: {error}{self._left_over()}")
            return chess.engine.PlayResult(None, None)
        if result.draw_offered:
            self._adapter.say(f"info string {OFFERS_DRAW}")
        if result.resigned:
            self._adapter.say(f"info string {RESIGNS}")
        return result

    def _left_over(self) -> str:
        more = len(self._given.move_stack) - len(self._board.move_stack)
        if more > 0:
            return f"; {more} moves were pushed on the board without a pop"
        return "; the board was popped too often" if more < 0 else ""


def _reply(result: chess.engine.PlayResult) -> chess.Move | None:
    line = result.info.get("pv") or []
    return line[1] if len(line) > 1 and isinstance(line[1], chess.Move) else None


_SECONDS = {
    "wtime": "white_clock",
    "btime": "black_clock",
    "winc": "white_inc",
    "binc": "black_inc",
    "movetime": "time",
}
_NUMBERS = {"depth": "depth", "nodes": "nodes", "mate": "mate", "movestogo": "remaining_moves"}


def parse_go(words: list[str], board: chess.Board) -> tuple[chess.engine.Limit, list[chess.Move] | None]:
    """Return the limit of a `go`, and the moves it is restricted to."""
    found: dict[str, Any] = {}
    for word, text in itertools.pairwise(words):
        if word in _SECONDS:
            found[_SECONDS[word]] = int(text) / 1000
        elif word in _NUMBERS:
            found[_NUMBERS[word]] = int(text)
    moves = None
    if "searchmoves" in words:
        legal = {board.uci(move): move for move in board.legal_moves}
        moves = [legal[word] for word in words[words.index("searchmoves") + 1 :] if word in legal]
    return chess.engine.Limit(**found), moves
