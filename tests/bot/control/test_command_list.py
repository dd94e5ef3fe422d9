"""The list of commands, as `help` prints it."""

from __future__ import annotations

import pytest

from bot.control.command_list import _COLUMN, COMMANDS, command_list


def test_every_command_is_in_the_list() -> None:
    lines = command_list().splitlines()
    heads = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert heads == list(COMMANDS)
    assert max(map(len, lines)) <= 90


def test_the_explanations_stand_below_each_other() -> None:
    lines = command_list().splitlines()
    texts = [text.splitlines()[0] for _words, text in COMMANDS.values()]
    starts = {line.index(text) for line in lines for text in texts if line.endswith(text)}
    assert len(starts) == 1


def test_a_command_as_long_as_the_column_has_its_explanation_below(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("x" * (_COLUMN - 1), "y" * _COLUMN):
        monkeypatch.setitem(COMMANDS, name, ("", "what it does"))
    lines = command_list().splitlines()
    assert lines[-3:] == ["x" * (_COLUMN - 1) + " what it does", "y" * _COLUMN, " " * _COLUMN + "what it does"]
