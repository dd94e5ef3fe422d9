"""Typing at the prompt: keys, history, completion, and whatever else a terminal sends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.console.editor import LONGEST, LineEditor

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
COMMANDS = ("quit", "quit-after-games", "pause")


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        ("pause", "pause", 5),
        ("pasue\x7f\x7f\x7fuse", "pause", 5),
        ("ause" + LEFT * 4 + "p", "pause", 1),
        ("ause\x01p\x05!", "pause!", 6),
        ("xpause\x1b[H\x1b[3~", "pause", 0),
        ("block bob" + LEFT * 20 + RIGHT * 20 + "by", "block bobby", 11),
        ("block bobby\x17", "block ", 6),
        ("wrong\x15right", "right", 5),
        ("pa\x1b[15~u\x1bx\x00se", "pause", 5),
        ("Bö♞b", "Bö♞b", 4),
    ],
)
def test_keys(keys: str, text: str, cursor: int) -> None:
    editor = LineEditor()
    assert editor.feed(keys) == []
    assert (editor.text, editor.cursor) == (text, cursor)


def test_an_escape_sequence_may_come_in_pieces() -> None:
    editor = LineEditor()
    for key in "ab\x1b[Dc":
        editor.feed(key)
    assert editor.text == "acb"


def test_lines_are_finished_and_remembered() -> None:
    editor = LineEditor()
    assert editor.feed("pause\r\r  status \rres") == ["pause", "status"]
    assert editor.text == "res"
    shown = []
    for key in (UP, UP, UP, DOWN, DOWN, DOWN):
        editor.feed(key)
        shown.append(editor.text)
    assert shown == ["status", "pause", "pause", "status", "", ""]
    assert editor.feed(UP + "\r" + UP + UP + "\r") == ["status", "pause"]


@pytest.mark.parametrize(
    ("typed", "text"),
    [("p", "pause "), ("q", "quit"), ("quit-", "quit-after-games "), ("x", "x"), ("", ""), ("pause b", "pause b")],
)
def test_tab_completes_a_command(typed: str, text: str) -> None:
    editor = LineEditor(COMMANDS)
    editor.feed(typed + "\t")
    assert editor.text == text


@given(st.lists(st.one_of(st.sampled_from([UP, DOWN, LEFT, "\x1b", "\x1b[", "\r", "\t", "\x7f"]), st.text(max_size=9))))
def test_whatever_is_typed_the_cursor_stays_in_the_line(keys: list[str]) -> None:
    editor = LineEditor(COMMANDS)
    for key in keys:
        assert all(line == line.strip() != "" for line in editor.feed(key))
        assert 0 <= editor.cursor <= len(editor.text) <= LONGEST + len(max(COMMANDS, key=len)) + 1
        assert editor.text.isprintable()
