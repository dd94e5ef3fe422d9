"""The grammar of the commands: what is understood, what is refused with which remedy, and the list."""

from __future__ import annotations

import contextlib
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from bot.control.command_list import _COLUMN, COMMANDS, CommandError, command_list
from bot.control.commands import Command, parse_command
from bot.lichess.values import ChallengeTerms
from bot.settings import ArenaEntry


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("status", Command("status")),
        ("status --json", Command("status", json=True)),
        ("games --json", Command("games", json=True)),
        ("block BobbyFischer", Command("block", user="bobbyfischer")),
        ("quit-after-games", Command("quit-after-games")),
        ("tournament abcd1234", Command("tournament", arena=ArenaEntry(id="abcd1234"))),
        (
            "tournament https://lichess.org/tournament/abcd1234 --team knights --password x",
            Command("tournament", arena=ArenaEntry(id="abcd1234", team="knights", password=SecretStr("x"))),
        ),
        ("unblock Bob", Command("unblock", user="bob")),
        ("resume", Command("resume")),
        ("help", Command("help")),
        ("level Bob easy", Command("level", user="bob", level="easy")),
        ("challenge Bob --clock 3+2", Command("challenge", "bob", terms=ChallengeTerms("Bob", 180, 2))),
        (
            "challenge --rated Bob --color white --clock 0.5+0 --variant atomic",
            Command("challenge", "bob", terms=ChallengeTerms("Bob", 30, 0, None, True, "atomic", "white")),
        ),
        ("challenge Bob", Command("challenge", "bob", terms=ChallengeTerms("Bob", 180, 2))),
        ("challenge Bob --days 2", Command("challenge", "bob", terms=ChallengeTerms("Bob", None, 0, 2))),
        ("challenge B- --clock 0+1", Command("challenge", "b-", terms=ChallengeTerms("B-", 0, 1))),
    ],
)
def test_understood(line: str, command: Command) -> None:
    assert parse_command(shlex.split(line)) == command


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "no command; give one of status"),
        ("chalenge Bob", 'did you mean "challenge"?'),
        ("xyzzy", "there are status, games"),
        ("challenge", "required: USER.*write: challenge USER"),
        ("challenge Bob --clock fast", "'fast': expected MINUTES.SECONDS, such as"),
        ("challenge Bob --clock 0.01+0", "not a whole number of seconds"),
        ("challenge Bob --clock 3+2 --days 1", "not allowed with"),
        ("challenge Bob --days 4", "--days: invalid choice: 4"),
        ("challenge Bob --clock 3+2 --variant fromPosition", "invalid choice: 'fromPosition'"),
        ("challenge Bob --clock 3+2 --color red", "invalid choice: 'red'"),
        ("challenge B --clock 3+2", "'B' is not a user name: use letters, digits, _ and -"),
        ("tournament AbCd1234 --passw x", "unrecognized arguments: --passw x"),
        ("unblock", "required: USER; write: unblock USER"),
        ("challenge Bob --clock 3+2 --variant chess", "invalid choice: 'chess'"),
        ("challenge Bob --clock 3+2 --rate", "unrecognized arguments: --rate"),
        ("challenge B@b --clock 3+2", "is not a user name"),
        ("block", "required: USER"),
        ("tournament x", "'x' is not the id of an arena: eight letters and digits"),
        ("level Bob", "required: LEVEL; write: level USER LEVEL"),
        ("pause now", "unrecognized arguments: now; write: pause$"),
        ("quit --help", "unrecognized arguments: --help; write: quit$"),
    ],
)
def test_refused_in_one_line_with_the_remedy(line: str, said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        parse_command(shlex.split(line))
    assert "\n" not in str(refused.value)


@given(st.lists(st.one_of(st.sampled_from([*COMMANDS, "--clock", "3+2", "--days", "-x", "--"]), st.text(max_size=9))))
def test_any_words_are_understood_or_refused(words: list[str]) -> None:
    with contextlib.suppress(CommandError):
        assert parse_command(words).name in COMMANDS


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
