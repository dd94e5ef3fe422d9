"""The UCI loop with an engine made up: what waits for it, what ends with it, what is said when something breaks."""

import threading
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from engine88.uci import loop
from engine88.uci.text import UciError


class MadeUpSession:
    """Notes what it is told; fails at some words."""

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
    """A loop whose engine is there as soon as the loop waits for it at its end."""

    def __init__(self, error: Exception | None = None) -> None:
        """Make the loop; `error`: what loading the engine ends with."""
        self.session, self.error = MadeUpSession(), error
        self.said: list[str] = []
        self.aborted = threading.Event()
        self.loading = threading.Event()
        self.gate, self.graces = threading.Event(), list[float]()
        self.loop = loop.UciLoop(self.said.append, self.load, self.aborted.set)
        self.loaded = self.loop._loaded
        self.loop._loaded = self  # type: ignore[assignment]  # the part of an event that is used

    def load(self, _write: object, _progress: object) -> Any:
        """Bring the engine."""
        self.loader = threading.current_thread()
        self.loading.set()
        assert self.gate.wait(60)
        if self.error is not None:
            raise self.error
        return self.session

    def set(self) -> None:
        """The engine is there."""
        self.loaded.set()

    def wait(self, grace_s: float) -> bool:
        """The loop has come to its end: note how long it would wait, and let the engine come if it waits at all."""
        self.graces.append(grace_s)
        if grace_s:
            self.gate.set()
        return self.loaded.wait(60 if grace_s else 0)

    def run(self, lines: Iterable[str]) -> None:
        """Run the loop, and let its thread end."""
        self.loop.run(lines)
        self.gate.set()
        assert self.loading.wait(60)
        assert self.loader.daemon, "else a process that quits would wait for the compiler"
        self.loader.join(60)


@pytest.mark.parametrize(
    ("lines", "grace_s", "told"),
    [
        (["isready", "", "go depth 1"], loop.END_GRACE_S, ["isready", "go depth 1", "(closed)"]),
        (["uci", "  "], 0.0, []),
        (["uci", "quit", "isready"], 0.0, []),
    ],
)
def test_at_the_end_of_input_only_commands_that_still_wait_get_time(
    lines: list[str], grace_s: float, told: list[str]
) -> None:
    stage = Stage()
    stage.run(lines)
    assert (stage.graces, stage.session.told) == ([grace_s], told)
    assert stage.said[-1:] == (["uciok"] if "uci" in lines else [])


def test_an_engine_that_is_there_obeys_at_once_and_is_closed_at_the_end() -> None:
    stage = Stage()

    def lines() -> Iterator[str]:
        stage.gate.set()
        assert stage.loaded.wait(60)
        yield "position startpos"
        assert stage.session.told == ["position startpos"]

    stage.loop.run(lines())
    assert (stage.graces, stage.session.told) == ([0.0], ["position startpos", "(closed)"])


def test_what_is_wrong_with_a_command_is_said_and_the_loop_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage()
    stage.run(["wrong", "broken", "isready"])
    assert stage.session.told == ["isready", "(closed)"]
    assert stage.said == [
        "info string that makes no sense",
        "info string internal error at 'broken': RuntimeError: two lines",
    ]
    trace = capsys.readouterr().err
    assert "RuntimeError: two" in trace
    assert "UciError" not in trace


def test_an_engine_that_cannot_start_is_told_and_ends_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage(ImportError("no numba"))
    stage.run(["uci", "quit"])
    assert stage.aborted.is_set()
    assert stage.said[-1] == "info string the engine cannot start: ImportError: no numba"
    assert "ImportError" in capsys.readouterr().err


class Ended(BaseException):
    """The process would have ended here."""


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, bytes]]:
    """Speak UCI in a process made up: gives the exit code and what came out."""
    out = bytearray()

    def speak(run: Callable[[Any], None], *, pipe: str = "open") -> tuple[int, bytes]:
        def write(fd: int, data: bytes) -> int:
            assert fd == 7
            if pipe == "closed":
                raise BrokenPipeError
            out.extend(data[:3])  # a pipe that is nearly full takes a part
            return len(data[:3])

        def end(code: int) -> None:
            raise Ended(code)

        made_up = SimpleNamespace(dup=lambda _fd: 7, dup2=lambda _old, _new: None, write=write, _exit=end)
        monkeypatch.setattr(loop, "os", made_up)
        monkeypatch.setattr(
            loop, "UciLoop", lambda write, _load, abort: SimpleNamespace(run=lambda _lines: run((write, abort)))
        )
        try:
            return loop.run_uci(), bytes(out)
        except Ended as ended:
            return ended.args[0], bytes(out)

    return speak


def interrupt(_: object) -> None:
    """Somebody presses Ctrl-C."""
    raise KeyboardInterrupt


def test_each_line_is_written_whole(process: Callable[..., tuple[int, bytes]]) -> None:
    assert process(lambda given: [given[0](line) for line in ("uciok", "", "readyok ü")]) == (
        0, "uciok\n\nreadyok ü\n".encode(),
    )  # fmt: skip


def test_the_exit_code_says_how_it_ended(process: Callable[..., tuple[int, bytes]]) -> None:
    assert process(lambda given: given[0]("uciok"), pipe="closed") == (0, b"")  # the GUI is gone
    assert process(interrupt) == (130, b"")
    assert process(lambda given: given[1]()) == (1, b"")
