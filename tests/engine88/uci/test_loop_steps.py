"""The UCI loop with a fake engine: what waits for it, what ends with it, what is reported when something breaks."""

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from engine88.uci import loop
from engine88.uci.text import UciError
from tests.helpers.processes import wait_until


class MadeUpSession:
    """Notes what it receives; fails at some words."""

    def __init__(self) -> None:
        """Begin without a word."""
        self.told: list[str] = []

    def execute(self, words: list[str]) -> None:
        """Note a command."""
        if words[0] == "wrong":
            raise UciError("that makes no sense")
        if words[0] == "broken":
            raise RuntimeError("two\nlines")
        self.told.append(" ".join(words))

    def close(self) -> None:
        """Note the end."""
        self.told.append("(closed)")


class Stage:
    """A loop whose engine is loaded once `gate` is set."""

    def __init__(self, error: Exception | None = None) -> None:
        """Create the loop; `error`: what loading the engine ends with."""
        self.session, self.error = MadeUpSession(), error
        self.said: list[str] = []
        self.aborted, self.gate = threading.Event(), threading.Event()
        self.loop = loop.UciLoop(self.said.append, self.load, self.aborted.set)

    def load(self, _write: object, _progress: object) -> Any:
        """Load the engine."""
        self.loader = threading.current_thread()
        assert self.gate.wait(60)
        if self.error is not None:
            raise self.error
        return self.session

    def lines(self, *lines: str) -> Iterator[str]:
        """Input that begins once the engine is loaded."""
        self.gate.set()
        assert wait_until(lambda: self.loop._is_loaded or self.aborted.is_set())
        yield from lines


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["isready", "", "go depth 1"], ["isready", "go depth 1", "(closed)"]),
        (["uci", "  "], ["(closed)"]),
        (["wrong", "broken", "isready"], ["isready", "(closed)"]),
    ],
)
def test_commands_are_executed_in_order_and_the_session_is_closed(lines: list[str], told: list[str]) -> None:
    stage = Stage()
    stage.loop.run(stage.lines(*lines))
    assert stage.session.told == told
    assert stage.said[-1:] == (["uciok"] if "uci" in lines else stage.said[-1:])


def test_commands_wait_for_the_engine_at_the_end_of_input() -> None:
    stage = Stage()
    threading.Timer(0.2, stage.gate.set).start()
    stage.loop.run(["isready"])
    assert stage.session.told == ["isready", "(closed)"]


@pytest.mark.parametrize("lines", [["uci", "  "], ["isready", "quit", "isready"]])
def test_nothing_waits_for_the_engine_without_a_reason(lines: list[str]) -> None:
    stage = Stage()
    stage.loop.run(lines)  # the gate stays shut
    assert wait_until(lambda: hasattr(stage, "loader"))
    assert stage.loader.daemon, "else the process would wait for the compiler"
    stage.gate.set()


def test_a_command_that_hangs_does_not_delay_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "QUIT_GRACE_S", 0.1)
    stage, hung = Stage(), threading.Event()
    monkeypatch.setattr(stage.session, "execute", lambda _words: hung.wait(60))
    stage.loop.run(stage.lines("isready", "quit"))
    assert "(closed)" not in stage.session.told
    hung.set()
    stage.loader.join(60)


def test_an_error_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage()
    stage.loop.run(stage.lines("wrong", "broken"))
    assert stage.said == [
        "info string that makes no sense",
        "info string internal error at 'broken': RuntimeError: two lines",
    ]
    trace = capsys.readouterr().err
    assert "RuntimeError: two" in trace
    assert "UciError" not in trace


def test_an_engine_that_cannot_start_is_told_and_ends_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage(ImportError("no numba"))
    stage.loop.run(stage.lines("uci", "quit"))
    assert stage.aborted.is_set()
    assert "info string the engine cannot start: ImportError: no numba" in stage.said
    assert "ImportError" in capsys.readouterr().err


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The reading and the writing end of a pipe."""
    ends = os.pipe()
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


def test_lines_are_written_whole_and_in_order(pipe: tuple[int, int]) -> None:
    output = loop.Output(pipe[1])
    for line in ("uciok", "", "readyok ü"):
        output.write(line)
    output.flush(60)
    assert os.read(pipe[0], 100) == "uciok\n\nreadyok ü\n".encode()


def test_an_unread_pipe_blocks_nobody_and_keeps_the_answers(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "MAX_WAITING_LINES", 10)
    output = loop.Output(pipe[1])
    output.write("id " + "x" * 1_000_000)  # more than a pipe holds
    for _ in range(100):
        output.write("info string x")
    output.write("bestmove e2e4")
    output.flush(0.01)
    text = b""
    while b"bestmove" not in text:
        text += os.read(pipe[0], 1_000_000)
    assert text.count(b"info string") <= 10


def test_a_closed_pipe_ends_the_process(pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr("engine88.uci.loop.os._exit", codes.append)
    os.close(pipe[0])
    output = loop.Output(pipe[1])
    output.write("uciok")
    output.flush(60)
    assert codes == [0]
