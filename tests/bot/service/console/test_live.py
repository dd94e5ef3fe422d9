"""Lines typed at the prompt; the view on a real terminal is in tests/integration/test_console.py."""

from __future__ import annotations

import contextlib
import io
import queue
import sys
import termios
from collections.abc import Iterator
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from bot.control.wire import Answer
from bot.service.console import live
from bot.service.console.live import LiveConsole, answer_line
from tests.bot.control.test_report import status
from tests.helpers.processes import wait_until


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


@pytest.mark.parametrize("error", [None, OSError("the terminal is gone")])
def test_the_view_takes_the_streams_and_gives_them_back(error: OSError | None) -> None:
    before, unused, screen = (sys.stdout, sys.stderr), cast("Any", object()), io.StringIO()
    console = LiveConsole(unused, unused, cast("Any", screen))
    with contextlib.suppress(OSError), console._live():
        during = (sys.stdout, sys.stderr)
        if error is not None:
            raise error
    assert during[0] is not before[0]
    assert during[1] is not before[1]
    assert (sys.stdout, sys.stderr) == before


class Bot:
    """What the console shows and tells, its keys and its screen in one."""

    def __init__(self) -> None:
        self.now = status(account="")
        self.asked = 0
        self.told: list[tuple[str, ...]] = []
        self.steps: list[str] = []
        self.keys: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.screen = io.StringIO()
        self.console = LiveConsole(cast("Any", self), cast("Any", self), cast("Any", self.screen))

    def status(self) -> Any:
        self.asked += 1
        return self.now

    def handle(self, words: tuple[str, ...]) -> Answer:
        self.told.append(words)
        return Answer(words[0] != "bogus", f"answer to {words[0]}")

    def open(self) -> None:
        self.steps.append("open")

    def read(self) -> str | None:
        return self.keys.get()

    def stop_reading(self) -> None:
        self.keys.put(None)

    def restore(self) -> None:
        self.steps.append("restore")

    def shows(self, text: str) -> bool:
        return wait_until(lambda: text in self.screen.getvalue())


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    monkeypatch.setattr(live, "REDRAW_S", 0.01)
    bot, streams = Bot(), (sys.stdout, sys.stderr)
    yield bot
    bot.console.close()
    assert (sys.stdout, sys.stderr) == streams
    assert bot.steps[-1] == "restore"
    loops = (bot.console._view, bot.console._keys, bot.console._commands)
    assert wait_until(lambda: not any(loop.running for loop in loops)), "nothing of it runs on"


def test_the_view_waits_for_the_bot_to_play_and_then_takes_commands(bot: Bot) -> None:
    bot.console.start()
    assert wait_until(lambda: bot.asked > 3)
    assert (bot.steps, bot.screen.getvalue()) == ([], "")
    bot.now = status()
    assert bot.shows("no games are running")
    assert bot.steps == ["open"]
    bot.keys.put("block 'Bob by'\rbog")
    bot.keys.put("us\r")
    assert bot.shows("answer to bogus")
    assert bot.told == [("block", "Bob by"), ("bogus",)]
    screen = bot.screen.getvalue()
    assert "bot88> block 'Bob by'" in screen
    assert "\x1b[31manswer to bogus" in screen, "a refusal is red"
    assert "\x1b[31manswer to block" not in screen


def test_what_goes_on_is_shown_anew(bot: Bot) -> None:
    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    bot.now = status(paused=True)
    assert bot.shows("paused")
    bot.keys.put("xyz")
    assert bot.shows("xyz")


def test_closed_before_the_bot_plays_it_touches_no_terminal(bot: Bot) -> None:
    bot.console.start()
    assert wait_until(lambda: bot.asked > 0)
    bot.console.close()
    assert bot.steps == ["restore"]
    assert bot.screen.getvalue() == ""


def test_a_terminal_that_cannot_be_opened_is_said_and_the_bot_plays_on(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise termios.error(5, "Input/output error")

    bot.now = status()
    monkeypatch.setattr(bot, "open", fail)
    with capture_logs() as lines:
        bot.console.start()
        assert wait_until(lambda: lines)
    assert [line["event"] for line in lines] == ["console_not_shown"]
    assert wait_until(lambda: not bot.console._view.running)
    assert not bot.console._keys.running


def test_a_screen_that_goes_away_ends_the_view_alone(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_text: str) -> int:
        raise OSError("Input/output error")

    bot.now = status()
    bot.console.start()
    assert bot.shows("playing")
    with capture_logs() as lines:
        monkeypatch.setattr(bot.screen, "write", gone)
        assert wait_until(lambda: not bot.console._view.running)
    assert [line["event"] for line in lines] == ["console_gone"]
    bot.keys.put("pause\r")
    assert wait_until(lambda: bot.told == [("pause",)]), "the prompt goes on, though nobody sees its answers"
