"""The terminal: keys one by one, settings put back, and a terminal that goes away."""

from __future__ import annotations

import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator

import pytest

from bot.app.console.terminal import Screen, Terminal, owns_terminal


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """The signals that a terminal ignores are as they were afterwards."""
    old = {number: signal.getsignal(number) for number in (signal.SIGTTIN, signal.SIGTTOU)}
    yield
    for number, handler in old.items():
        signal.signal(number, handler)


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Both ends of a pseudo-terminal; a test that closes one replaces nothing."""
    master, slave = pty.openpty()
    yield master, slave
    for fd in (master, slave):
        try:
            os.close(fd)
        except OSError:
            continue  # the test closed it


def test_keys_come_one_by_one_and_the_settings_are_put_back(ends: tuple[int, int]) -> None:
    master, slave = ends
    before = termios.tcgetattr(slave)
    terminal = Terminal(slave)
    terminal.restore()  # harmless before it is open
    terminal.open()
    os.write(master, "ö".encode()[:1])
    assert terminal.read() == ""
    os.write(master, "ö".encode()[1:])
    assert terminal.read() == "ö"
    os.write(master, b"\x1a")
    assert terminal.read() == "\x1a"  # Ctrl-Z stops nothing
    assert not termios.tcgetattr(slave)[3] & termios.ECHO
    terminal.stop_reading()
    assert terminal.read() is None
    terminal.restore()
    assert termios.tcgetattr(slave) == before


def test_a_terminal_that_goes_away_ends_the_reading(ends: tuple[int, int]) -> None:
    master, slave = ends
    terminal = Terminal(slave)
    terminal.open()
    os.close(master)
    assert terminal.read() is None
    with pytest.raises(OSError, match="Input/output error"):
        Screen(slave).write("x")


def test_the_screen_takes_text(ends: tuple[int, int]) -> None:
    master, slave = ends
    screen = Screen(slave)
    assert screen.write("½ \ud800") == 3
    screen.flush()
    assert os.read(master, 100) == "½ \\ud800".encode()
    assert (screen.isatty(), screen.fileno()) == (True, slave)


def test_without_a_terminal_there_is_none_to_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not owns_terminal()
    monkeypatch.setattr(sys, "stdin", None)
    assert not owns_terminal()
