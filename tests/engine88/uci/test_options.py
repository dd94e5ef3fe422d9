"""The UCI options: announced as python-chess and GUIs read them, set by name, refused by name."""

import chess.engine
import pytest

from engine88.contract import MAX_ELO, MIN_ELO, EngineOptions
from engine88.uci.options import OPTIONS, Spin, Text, apply_option, is_clear_hash, option_lines
from engine88.uci.text import UciError

WANTED = {
    "Hash", "Clear Hash", "Threads", "Ponder", "MultiPV", "UCI_Chess960", "Move Overhead",
    "UCI_LimitStrength", "UCI_Elo", "UCI_ShowWDL", "EvalFile",
}  # fmt: skip


def test_every_option_is_announced_once() -> None:
    names = [line.removeprefix("option name ").split(" type ")[0] for line in option_lines()]
    assert sorted(names) == sorted(WANTED)


def test_the_announcement_is_exact() -> None:
    lines = option_lines()
    assert "option name Hash type spin default 16 min 1 max 65536" in lines
    assert "option name Threads type spin default 1 min 1 max 64" in lines
    assert "option name Ponder type check default false" in lines
    assert f"option name UCI_Elo type spin default 2000 min {MIN_ELO} max {MAX_ELO}" in lines
    assert "option name EvalFile type string default default" in lines
    assert "option name Clear Hash type button" in lines


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_an_option_reaches_its_field(option) -> None:  # type: ignore[no-untyped-def]  # parametrised
    if isinstance(option, Spin):
        for value in (option.low, option.high):
            assert getattr(apply_option(EngineOptions(), option.name.upper(), str(value)), option.field) == value
    elif isinstance(option, Text):
        assert getattr(apply_option(EngineOptions(), option.name, "/a/b c.npz"), option.field) == "/a/b c.npz"
    else:
        for value in (True, False):
            assert getattr(apply_option(EngineOptions(), option.name, str(value)), option.field) is value


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("Hash", "0", "from 1 to 65536, not '0'"),
        ("Hash", "many", "not 'many'"),
        ("Hash", None, "'Hash' needs a value"),
        ("Threads", "65", "'Threads'"),
        ("UCI_Elo", "999", "from 1000 to 2800"),
        ("Ponder", "yes", "true or false, not 'yes'"),
        ("Contempt", "5", "unknown option 'Contempt'; there are Hash"),
    ],
)
def test_an_invalid_option_is_named(name: str, value: str | None, named: str) -> None:
    with pytest.raises(UciError, match=named):
        apply_option(EngineOptions(), name, value)


def test_the_button_is_known_in_any_case() -> None:
    assert is_clear_hash("clear hash")
    assert not is_clear_hash("Hash")


def test_defaults_are_within_their_ranges() -> None:
    for option in OPTIONS:
        default = getattr(EngineOptions(), option.field)
        assert not isinstance(option, Spin) or option.low <= default <= option.high
    assert chess.engine.Option("Hash", "spin", 16, 1, 65536, None).parse(64) == 64
