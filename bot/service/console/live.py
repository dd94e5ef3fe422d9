"""The console of a running bot: a live view, log lines above it, and a prompt, on threads of their own.

A terminal that does not take what is written (Ctrl-S, a connection that hangs) blocks these threads and the log's
writer, whose queue drops and counts; no game ever waits for either.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from typing import IO, cast

import structlog
from rich.console import Console
from rich.live import Live
from rich.text import Text

from bot.control.command_list import COMMANDS
from bot.control.wire import Answer
from bot.log import quiet_console
from bot.play.game_log import MOVE
from bot.service.command_handler import COMMAND, CommandHandler
from bot.service.console.editor import LineEditor
from bot.service.console.terminal import Screen, Terminal
from bot.service.console.view import PROMPT, live_view
from bot.supervised_loop import SupervisedLoop

REDRAW_S = 0.5
CLOSE_S = 2.0

log = structlog.get_logger(__name__)


class LiveConsole:
    """Shows the view once the bot plays, until `close`; only the main thread may build one."""

    def __init__(self, handler: CommandHandler, terminal: Terminal | None = None, screen: Screen | None = None) -> None:
        """`terminal` and `screen`: those of the process, unless a test has others."""
        self._handler = handler
        self._terminal = terminal or Terminal()
        self._console = Console(file=cast("IO[str]", screen or Screen()), force_terminal=True)
        self._editor = LineEditor([*COMMANDS])
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._typed = threading.Event()  # something on the screen is to change
        self._streams = sys.stdout, sys.stderr
        self._view = SupervisedLoop("console-view", self._show)
        self._keys = SupervisedLoop("console-keys", self._read_keys)
        self._commands = SupervisedLoop("console-commands", self._carry_out)

    def start(self) -> None:
        """Wait for the bot to play, then show the view; returns at once."""
        self._view.start()

    def close(self) -> None:
        """Remove the view and put the terminal's settings back, also where it takes no more output."""
        for loop in (self._view, self._keys, self._commands):
            loop.stop()
        self._typed.set()
        self._lines.put("")
        self._terminal.stop_reading()
        if not self._view.join(CLOSE_S):
            sys.stdout, sys.stderr = self._streams
        self._keys.join(CLOSE_S)
        self.restore()

    def restore(self) -> None:
        """Put the terminal's settings back at once."""
        self._terminal.restore()

    # -- the view ---------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        while self._handler.status().state == "starting":
            if self._view.wait(REDRAW_S):
                return
        try:
            self._terminal.open()
        except termios.error as error:
            log.info("console_not_shown", error=str(error))
            return
        self._keys.start()
        self._commands.start()
        undo = quiet_console(MOVE, COMMAND)  # the view and the answers tell them
        try:
            with self._live() as live:
                while not self._view.stopped:
                    live.update(live_view(self._handler.status(), self._editor, self._console.height), refresh=True)
                    self._typed.wait(REDRAW_S)
                    self._typed.clear()
        except OSError as error:
            log.info("console_gone", error=str(error))
        finally:
            undo()

    @contextlib.contextmanager
    def _live(self) -> Iterator[Live]:
        """A live display; on a terminal that is gone the streams are put back all the same."""
        live = Live(console=self._console, auto_refresh=False, transient=True)
        try:
            live.start()
            yield live
            live.stop()
        finally:
            sys.stdout, sys.stderr = self._streams

    # -- the prompt -------------------------------------------------------------------------------------------------

    def _read_keys(self) -> None:
        while not self._keys.stopped and (keys := self._terminal.read()) is not None:
            for line in self._editor.feed(keys):
                self._lines.put(line)
            self._typed.set()

    def _carry_out(self) -> None:
        while not self._commands.stopped:
            if line := self._lines.get():
                self._say(line, answer_line(line, self._handler.handle))

    def _say(self, line: str, answer: Answer) -> None:
        """Show an answer above the view; nobody sees it on a terminal that is gone."""
        with contextlib.suppress(OSError):
            self._console.print(Text(PROMPT + line, "dim"), Text(answer.text, "" if answer.ok else "red"), sep="\n")


def answer_line(line: str, handle: Callable[[tuple[str, ...]], Answer]) -> Answer:
    """Carry out a line typed at the prompt."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        return Answer(False, f"{error}; write a command and its words, such as: block USER")
    return handle(tuple(words))
