"""Lines typed at the prompt; the view on a real terminal is in tests/integration/test_console.py."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any, cast

import pytest

from bot.app.console.live import LiveConsole, answer_line
from bot.control.wire import Answer


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
