"""The live view and the prompt: what they show, what they do with keys, and a terminal that goes away."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from types import SimpleNamespace
from typing import Any, cast

import chess
import pytest
from chess.engine import Cp, Mate, PovScore, Score
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from rich.console import Console
from structlog.testing import capture_logs

from bot.control.report import Status
from bot.control.wire import Reply
from bot.dashboard.games import Side
from bot.dashboard.picture import Health, Waiting
from bot.service import live_console as live
from bot.service.live_console import LiveConsole, Screen, _score, _side, answer_line, live_view, owns_terminal
from tests.bot.control.test_report import status
from tests.bot.dashboard.pictures import game
from tests.helpers.processes import wait_until
from tests.helpers.pty_program import without_escapes


def drawn(made: Status, *, height: int = 24, width: int = 100) -> list[str]:
    """The lines on a terminal without colours."""
    console = Console(file=StringIO(), width=width, height=height, color_system=None, force_terminal=True)
    with console.capture() as captured:
        console.print(live_view(made, height))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_quiet_bot() -> None:
    title, *rest = drawn(status())
    assert " me on http://server · playing " in title
    assert rest == ["no games are running", "2 of 2 slots free · today 1 won, 0 drawn, 0 lost"]


def test_a_busy_and_troubled_bot() -> None:
    title, *rest = drawn(
        status(
            paused=True,
            blocked=("ann",),
            games=(
                game(last_move="12.Nf3"),
                game(game_id="zz", variant="atomic", rated=False, score=PovScore(Mate(-10), chess.WHITE)),
            ),
            waiting=(Waiting("Carl", "3+2 standard rated"),),
            free_slots=0,
            limits={"challenge": 61.4},
            health=Health(("no engine answers",), ready=False),
        ),
    )
    assert " me on http://server · paused · no engine answers " in title
    assert rest == [
        "abcdefgh  rated blitz    BOT me (2000) 1:05  Alice (1700) 1:00  12.Nf3  +0.25",
        "zz        casual atomic  BOT me (2000) 1:05  Alice (1700) 1:00          #-10",
        "queue 1: Carl 3+2 standard rated",
        "0 of 2 slots free · today 1 won, 0 drawn, 0 lost · limits challenge for 61 s · blocked ann",
    ]


def test_many_games_leave_room_for_the_prompt() -> None:
    games = tuple(game(game_id=f"game{number}") for number in range(50))
    lines = drawn(status(games=games), height=12)
    assert len(lines) <= 12
    assert "and 45 more: `games` lists all" in lines


def test_a_narrow_terminal_cuts_lines_and_wraps_none() -> None:
    lines = drawn(status(games=(game(),)), width=40)
    assert len(lines) == 3
    assert max(map(len, lines)) <= 40


def test_as_many_games_as_there_is_room_for_are_all_shown() -> None:
    games = tuple(game(game_id=f"game{number}") for number in range(6))
    assert not any("more" in line for line in drawn(status(games=games), height=12))
    assert "and 2 more: `games` lists all" in drawn(status(games=games), height=11)
    assert "and 5 more: `games` lists all" in drawn(status(games=games), height=3), "one game is always shown"


def test_a_bot_that_starts_is_not_called_ill() -> None:
    starting = status(account="", health=Health(("it is starting",), ready=False))
    assert " bot88 on http://server · starting " in drawn(starting)[0]
    assert "it is" not in drawn(starting)[0]


@pytest.mark.parametrize(
    ("score", "style"),
    [(None, ""), (Cp(49), ""), (Cp(-49), ""), (Cp(50), "green"), (Cp(-50), "red"), (Mate(3), "green")],
)
def test_a_score_has_a_colour_from_half_a_pawn_on(score: Score | None, style: str) -> None:
    assert _score(game(score=None if score is None else PovScore(score, chess.WHITE))).style == style


@pytest.mark.parametrize(("running", "style"), [(True, "bold"), (False, "dim")])
def test_the_clock_that_runs_is_bold(running: bool, style: str) -> None:
    text = _side(Side("Alice", None, 65_000, running))
    assert text.plain == "Alice 1:05"
    assert [(text.plain[span.start : span.end], span.style) for span in text.spans] == [("1:05", style)]


def test_a_line_becomes_words() -> None:
    told: list[tuple[str, ...]] = []

    def handle(words: tuple[str, ...]) -> Reply:
        told.append(words)
        return Reply(True, "done")

    assert answer_line("block  'Bob by'", handle) == Reply(True, "done")
    assert told == [("block", "Bob by")]


def test_a_quotation_without_end_is_answered() -> None:
    answer = answer_line("block 'Bob", lambda _words: Reply(True, ""))
    assert not answer.ok
    assert answer.text == "No closing quotation; write a command and its words, such as: block USER"


class TextScreen(Screen):
    """Keeps what is written; `broken` lets writing fail."""

    def __init__(self) -> None:
        super().__init__(os.open(os.devnull, os.O_WRONLY))
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return super().write(text)

    def size(self) -> Size:
        return Size(rows=24, columns=100)


class Bot:
    """What the console shows and asks."""

    def __init__(self, stack: ExitStack) -> None:
        self.now = status(account="")
        self.asked = 0
        self.told: list[tuple[str, ...]] = []
        self.keys = stack.enter_context(create_pipe_input())
        self.screen = TextScreen()
        self.console = LiveConsole(cast("Any", self), self.keys, self.screen)

    def status(self) -> Any:
        self.asked += 1
        return self.now

    def handle(self, words: tuple[str, ...]) -> Reply:
        self.told.append(words)
        return Reply(words[0] != "bogus", f"answer to {words[0]}")

    def shows(self, text: str) -> bool:
        return wait_until(lambda: text in without_escapes(self.screen.text))


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    monkeypatch.setattr(live, "REDRAW_S", 0.01)
    old = {number: signal.getsignal(number) for number in (signal.SIGTTIN, signal.SIGTTOU)}
    streams = sys.stdout, sys.stderr
    with ExitStack() as stack:
        bot = Bot(stack)
        assert {signal.getsignal(number) for number in old} == {signal.SIG_IGN}
        yield bot
        bot.console.close()
        bot.console.close()
        assert (sys.stdout, sys.stderr) == streams
        loops = (bot.console._view, bot.console._commands)
        assert wait_until(lambda: not any(loop.running for loop in loops)), "a thread of the console still runs"
    for number, handler in old.items():
        signal.signal(number, handler)


def test_the_view_waits_for_the_bot_to_play_and_then_takes_commands(bot: Bot) -> None:
    bot.console.start()
    assert wait_until(lambda: bot.asked > 3)
    assert bot.screen.text == ""
    bot.now = status()
    assert bot.shows("no games are running")
    bot.keys.send_text("block 'Bob by'\rbog")
    bot.keys.send_text("us\r")
    assert bot.shows("answer to bogus")
    assert bot.told == [("block", "Bob by"), ("bogus",)]
    assert bot.shows("bot88> block 'Bob by'")
    assert "\x1b[31manswer to bogus" in bot.screen.text, "a refusal is red"
    assert "\x1b[31manswer to block" not in bot.screen.text


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("pau\t\r", ("pause",)),
        ("quit-\t\r", ("quit-after-games",)),
        ("re\t\r", ("re",)),
        ("stauts\x1b[D\x1b[D\x1b[D\x7ft\x1b[C\x1b[C\r", ("sttuts",)),
        ("pause\x15resume\r", ("resume",)),
        ("block Bob\x17Ann\r", ("block", "Ann")),
        ("\x1apause\r", ("pause",)),
    ],
    ids=["tab", "long", "ambiguous", "arrows", "ctrl-u", "ctrl-w", "ctrl-z"],
)
def test_lines_are_edited(keys: str, words: tuple[str, ...], bot: Bot) -> None:
    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    bot.keys.send_text(keys)
    assert wait_until(lambda: bot.told == [words]), bot.told


def test_earlier_lines_are_recalled(bot: Bot) -> None:
    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    bot.keys.send_text("pause\r")
    assert wait_until(lambda: len(bot.told) == 1)

    def recalled() -> bool:  # the history is loaded in the background; before that the key does nothing
        bot.keys.send_text("\x1b[A\r")
        return wait_until(lambda: len(bot.told) > 1, 3.0)

    assert wait_until(recalled)
    assert set(bot.told) == {("pause",)}


def test_the_view_follows_what_happens(bot: Bot) -> None:
    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    bot.now = status(paused=True)
    assert bot.shows("paused")


def test_what_others_write_appears_above_the_view(bot: Bot) -> None:
    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    print("a line of output")
    print("a warning", file=sys.stderr)
    assert bot.shows("a line of output")
    assert bot.shows("a warning")


def test_writers_wait_while_too_much_is_queued_until_it_is_closed(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_WAITING", 10)
    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    for number in range(50):
        print(f"line {number:02} of output")
    assert bot.shows("line 49 of output")


def test_closed_before_the_bot_plays_it_touches_no_terminal(bot: Bot) -> None:
    bot.console.start()
    assert wait_until(lambda: bot.asked > 0)
    bot.console.close()
    assert bot.screen.text == ""


def test_a_screen_that_goes_away_ends_the_view_alone(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_fd: int, _data: bytes) -> None:
        raise OSError("Input/output error")

    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    with capture_logs() as lines:
        monkeypatch.setattr(live, "write_all", gone)
        assert wait_until(lambda: not bot.console._view.running)
    assert [line["event"] for line in lines] == ["console_gone"]


def test_without_a_terminal_there_is_none_to_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not owns_terminal()
    monkeypatch.setattr(sys, "stdin", None)
    assert not owns_terminal()


@pytest.mark.parametrize(
    ("stdin", "stderr", "group", "term", "owned"),
    [
        (True, True, 7, "xterm", True),
        (False, True, 7, "xterm", False),
        (True, False, 7, "xterm", False),
        (None, True, 7, "xterm", False),
        (True, None, 7, "xterm", False),
        (True, True, 8, "xterm", False),
        (True, True, None, "xterm", False),
        (True, True, 7, "dumb", False),
        (True, True, 7, None, False),
    ],
)
def test_the_terminal_is_ours_if_we_run_in_its_foreground(
    stdin: bool | None,
    stderr: bool | None,
    group: int | None,
    term: str | None,
    owned: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def foreground(_fd: int) -> int:
        if group is None:
            raise OSError("not a terminal")
        return group

    for name, is_terminal in (("stdin", stdin), ("stderr", stderr)):
        stream = SimpleNamespace(isatty=lambda is_terminal=is_terminal: is_terminal, fileno=lambda: 0)
        monkeypatch.setattr(sys, name, None if is_terminal is None else stream)
    monkeypatch.setattr(os, "tcgetpgrp", foreground)
    monkeypatch.setattr(os, "getpgrp", lambda: 7)
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    assert owns_terminal() is owned
