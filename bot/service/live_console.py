"""The console of a running bot: a live view and a prompt below the log lines, drawn by prompt_toolkit.

It has its own thread. A terminal that takes no output (Ctrl-S, a connection that hangs) blocks this thread and the
writer of the log, whose queue drops lines and counts them. No game waits for either.
"""

from __future__ import annotations

import contextlib
import io
import os
import queue
import shlex
import signal
import sys
import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, cast

import structlog
from chess.engine import Cp
from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.input.vt100 import Vt100Input, raw_mode
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.completion import display_completions_like_readline
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.widgets import TextArea
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bot.control.command_list import COMMANDS
from bot.control.report import Status, clock_in_words, limits_in_words, results_in_words
from bot.control.wire import Reply
from bot.dashboard.games import GameView, Side
from bot.engine_pool.values import score_text
from bot.log import quiet_console
from bot.log.console import write_all
from bot.play.game_log import MOVE
from bot.service.command_handler import COMMAND, CommandHandler
from bot.supervised_loop import SupervisedLoop

_BESIDE_GAMES = 6  # lines: the rule, the queue, the rest, the prompt, and room for what scrolls by
_STATES = {"starting": "dim", "playing": "green", "paused": "bold yellow", "ending": "bold yellow"}


def live_view(status: Status, height: int) -> RenderableType:
    """Draw the view for a terminal of so many lines."""
    picture = status.picture
    title = Text.assemble(
        f"{picture.account or 'bot88'} on {picture.server_url} · ", (status.state, _STATES[status.state])
    )
    if picture.health.reasons and status.state != "starting":
        title.append(f" · {'; '.join(picture.health.reasons)}", "bold red")
    parts: list[RenderableType] = [Rule(title, style="dim"), *_games(picture.games, height - _BESIDE_GAMES)]
    if picture.waiting:
        waiting = ", ".join(f"{one.challenger} {one.terms}" for one in picture.waiting)
        parts.append(_line(f"queue {len(picture.waiting)}: {waiting}"))
    return Group(*parts, _line(_rest(status), "dim"))


def _games(games: Sequence[GameView], most: int) -> list[RenderableType]:
    if not games:
        return [_line("no games are running", "dim")]
    shown = games if len(games) <= most else games[: max(1, most - 1)]
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(6):
        table.add_column(no_wrap=True, overflow="ellipsis")
    for game in shown:
        table.add_row(
            Text(game.game_id, "dim"),
            f"{'rated' if game.rated else 'casual'} {game.variant if game.variant != 'standard' else game.speed}",
            _side(game.white),
            _side(game.black),
            game.last_move,
            _score(game),
        )
    more = len(games) - len(shown)
    return [table, *([_line(f"and {more} more: `games` lists all", "dim")] if more else [])]


def _side(side: Side) -> Text:
    rating = f" ({side.rating})" if side.rating is not None else ""
    return Text.assemble(f"{side.name}{rating} ", (clock_in_words(side.clock_ms), "bold" if side.running else "dim"))


def _score(game: GameView) -> Text:
    ours = game.score.pov(game.our_side) if game.score is not None else Cp(0)
    style = "green" if ours >= Cp(50) else "red" if ours <= Cp(-50) else ""
    return Text(score_text(game.score, game.our_side), style)


def _rest(status: Status) -> str:
    picture = status.picture
    parts = [
        f"{max(0, picture.free_slots)} of {status.slots} slots free",
        f"today {results_in_words(picture)}",
        *([f"limits {limits_in_words(picture)}"] if picture.limits else []),
        *([f"blocked {', '.join(status.blocked)}"] if status.blocked else []),
    ]
    return " · ".join(parts)


def _line(text: str, style: str = "") -> Text:
    return Text(text, style, no_wrap=True, overflow="ellipsis")


PROMPT = "bot88> "
REDRAW_S = 0.5
CLOSE_S = 2.0
MOST_WAITING = 200_000  # characters to be printed above the view; a writer waits beyond them
_DISABLED = b"\0"

log = structlog.get_logger(__name__)


class LiveConsole:
    """Shows the view once the bot plays, until `close`. Only the main thread may build one."""

    def __init__(self, handler: CommandHandler, keys: Input | None = None, screen: Screen | None = None) -> None:
        """`keys` and `screen` are those of the process, unless a test has others."""
        self._handler = handler
        self._keys = keys or _Keys(sys.stdin)
        self._settings = _settings_of(self._keys)
        self._screen = screen or Screen()
        self._streams = sys.stdout, sys.stderr
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._app: Application[None] | None = None
        self._above = _Above(self._screen)
        self._view = SupervisedLoop("console-view", self._show)
        self._commands = SupervisedLoop("console-commands", self._carry_out)
        # A process in the background that touches its terminal would be stopped; ignored, reading fails instead.
        for number in (signal.SIGTTIN, signal.SIGTTOU):
            signal.signal(number, signal.SIG_IGN)

    def start(self) -> None:
        """Wait for the bot to play, then show the view; return at once."""
        self._view.start()

    def close(self) -> None:
        """Remove the view and restore the terminal's settings, even if it takes no more output."""
        for loop in (self._view, self._commands):
            loop.stop()
        self._lines.put("")
        self._above.close()
        self._exit()
        if not self._view.join(CLOSE_S):
            sys.stdout, sys.stderr = self._streams
        self.restore()

    def restore(self) -> None:
        """Restore the terminal's settings at once; harmless if repeated or if the terminal is gone."""
        if self._settings is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._keys.fileno(), termios.TCSANOW, self._settings)

    # Everything below runs on the threads of the console.

    def _build(self) -> Application[None]:
        bindings = KeyBindings()
        bindings.add("tab")(display_completions_like_readline)
        bindings.add("c-z")(lambda _event: None)  # a bot that is suspended loses its games on time

        def accept(buffer: Any) -> bool:
            self._lines.put(buffer.text.strip())
            return False

        prompt = TextArea(
            prompt=PROMPT,
            multiline=False,
            completer=WordCompleter([*COMMANDS], sentence=True),
            complete_while_typing=False,
            history=InMemoryHistory(),
            accept_handler=accept,
        )
        view = Window(FormattedTextControl(self._drawn), dont_extend_height=True)
        return Application(
            Layout(HSplit([view, prompt]), focused_element=prompt),
            key_bindings=bindings,
            input=self._keys,
            output=Vt100_Output(
                cast("Any", self._screen), self._screen.size, term=os.environ.get("TERM"), enable_cpr=False
            ),
            refresh_interval=REDRAW_S,
            erase_when_done=True,
        )

    def _drawn(self) -> ANSI:
        size = self._screen.size()
        console = Console(file=io.StringIO(), force_terminal=True, width=size.columns, height=size.rows)
        with console.capture() as drawn:
            console.print(live_view(self._handler.status(), size.rows))
        return ANSI(drawn.get().rstrip("\n"))

    def _show(self) -> None:
        while self._handler.status().state == "starting":
            if self._view.wait(REDRAW_S):
                return
        self._commands.start()
        undo = quiet_console(MOVE, COMMAND)  # the view shows the moves, the prompt its commands
        self._screen.on_gone = self._exit
        self._app = app = self._build()
        try:
            with self._above.in_place_of_the_streams():
                app.run(set_exception_handler=False, handle_sigint=False, pre_run=lambda: self._above.open(app))
        except (EOFError, OSError) as error:
            self._screen.gone = self._screen.gone or error
        finally:
            sys.stdout, sys.stderr = self._streams
            undo()
        if self._screen.gone is not None and not self._view.stopped:
            log.info("console_gone", error=str(self._screen.gone))

    def _exit(self) -> None:
        app = self._app
        if app is not None and app.loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                app.loop.call_soon_threadsafe(_exit_soon, app)

    def _carry_out(self) -> None:
        while not self._commands.stopped:
            if line := self._lines.get():
                answer = answer_line(line, self._handler.handle)
                console = Console(file=io.StringIO(), force_terminal=True, width=self._screen.size().columns)
                with console.capture() as shown:
                    console.print(Text(PROMPT + line, "dim"))
                    console.print(Text(answer.text, "" if answer.ok else "red"))
                self._above.write(shown.get())


def answer_line(line: str, handle: Callable[[tuple[str, ...]], Reply]) -> Reply:
    """Carry out a line typed at the prompt."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        return Reply(False, f"{error}; write a command and its words, such as: block USER")
    return handle(tuple(words))


def owns_terminal() -> bool:
    """Return whether standard input and standard error are a terminal in whose foreground this process runs."""
    if sys.stdin is None or sys.stderr is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp() and os.environ.get("TERM", "dumb") != "dumb"
    except OSError:
        return False


class Screen:
    """Standard error as a file, written by its file descriptor: see bot.log.console."""

    encoding = "utf-8"

    def __init__(self, fd: int | None = None) -> None:
        """`fd` is the real standard error, unless a test has another."""
        self._fd = fd if fd is not None else sys.__stderr__.fileno() if sys.__stderr__ is not None else 2
        self.gone: Exception | None = None
        self.on_gone: Callable[[], None] = lambda: None

    def write(self, text: str) -> int:
        """Write all of it, which may block. Once the terminal is gone, `on_gone` is called and nothing is written."""
        if self.gone is None:
            try:
                write_all(self._fd, text.encode(self.encoding, "backslashreplace"))
            except OSError as error:
                self.gone = error
                self.on_gone()
        return len(text)

    def flush(self) -> None:
        """Do nothing: `write` does not buffer."""

    def isatty(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._fd

    def size(self) -> Size:
        """Return rows and columns of the terminal, 24 and 80 if it has none."""
        with contextlib.suppress(OSError):
            columns, rows = os.get_terminal_size(self._fd)
            if columns and rows:
                return Size(rows=rows, columns=columns)
        return Size(rows=24, columns=80)


class _Keys(Vt100Input):
    """The keyboard. Ctrl-C stays a signal, so it works while the screen blocks; Ctrl-Z is a key."""

    def raw_mode(self) -> contextlib.AbstractContextManager[None]:
        return _RawModeWithSignals(self.fileno())


class _RawModeWithSignals(raw_mode):
    def __enter__(self) -> None:
        super().__enter__()
        with contextlib.suppress(termios.error):
            settings = termios.tcgetattr(self.fileno)
            settings[3] |= termios.ISIG
            settings[6][termios.VSUSP] = _DISABLED
            termios.tcsetattr(self.fileno, termios.TCSANOW, settings)


class _Above(io.TextIOBase):
    """Takes the place of standard output and error: prints what is written above the view."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self._app: Application[None] | None = None  # while it runs
        self._screen = screen
        self._waiting: list[str] = []
        self._size = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def in_place_of_the_streams(self) -> Iterator[None]:
        sys.stdout = sys.stderr = cast("IO[str]", self)
        try:
            yield
        finally:
            self._screen.write("".join(self._take()))
            self._app = None

    def open(self, app: Application[None]) -> None:
        """Print from now on: the application runs."""
        self._app = app
        app.create_background_task(self._print())

    def close(self) -> None:
        """Let writers wait no longer."""
        with self._changed:
            self._app = None
            self._changed.notify_all()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Queue text for the screen; wait while too much is queued."""
        with self._changed:
            self._changed.wait_for(lambda: self._size < MOST_WAITING or self._app is None)
            app = self._app if not self._waiting else None  # else it prints already
            self._waiting.append(text)
            self._size += len(text)
        if app is not None and app.loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                app.loop.call_soon_threadsafe(app.create_background_task, self._print())
        return len(text)

    async def _print(self) -> None:
        async with in_terminal():
            self._screen.write("".join(self._take()))

    def _take(self) -> list[str]:
        with self._changed:
            taken, self._waiting, self._size = self._waiting, [], 0
            self._changed.notify_all()
        return taken


def _exit_soon(app: Application[None]) -> None:
    if app.is_running and not app.is_done:
        app.exit()


def _settings_of(keys: Input) -> list[Any] | None:
    try:
        return termios.tcgetattr(keys.fileno())
    except (termios.error, OSError, NotImplementedError):  # a pipe in a test
        return None
