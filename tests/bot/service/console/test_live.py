"""Lines typed at the prompt, and the view; tests/integration/test_console.py has a real terminal."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any, cast

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from structlog.testing import capture_logs

from bot.control.wire import Answer
from bot.service.console import live
from bot.service.console.live import LiveConsole, Screen, answer_line, owns_terminal
from tests.bot.control.test_report import status
from tests.helpers.processes import wait_until
from tests.helpers.pty_program import without_escapes


def test_a_line_becomes_words() -> None:
    told: list[tuple[str, ...]] = []

    def handle(words: tuple[str, ...]) -> Answer:
        told.append(words)
        return Answer(True, "done")

    assert answer_line("block  'Bob by'", handle) == Answer(True, "done")
    assert told == [("block", "Bob by")]


def test_a_quotation_without_end_is_answered() -> None:
    answer = answer_line("block 'Bob", lambda _words: Answer(True, ""))
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

    def handle(self, words: tuple[str, ...]) -> Answer:
        self.told.append(words)
        return Answer(words[0] != "bogus", f"answer to {words[0]}")

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
    bot.keys.send_text("\x1b[A\r")
    assert wait_until(lambda: bot.told == [("pause",)] * 2)


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
