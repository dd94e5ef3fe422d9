"""The terminal: keys one by one, settings put back, and a terminal that goes away."""

from __future__ import annotations

import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from bot.service.console.terminal import Screen, Terminal, owns_terminal


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


def test_a_process_in_the_background_is_not_stopped_by_its_terminal(ends: tuple[int, int]) -> None:
    Terminal(ends[1])
    assert {signal.getsignal(number) for number in (signal.SIGTTIN, signal.SIGTTOU)} == {signal.SIG_IGN}


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
def test_the_terminal_is_ours_where_we_run_in_its_foreground(
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
