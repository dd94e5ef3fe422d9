"""Lines typed at the prompt; the view on a real terminal is in tests/integration/test_console.py."""

from __future__ import annotations

from bot.app.console.live import answer_line
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
