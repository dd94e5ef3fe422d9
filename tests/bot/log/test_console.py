"""Standard error as a destination, and how lines look there."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.log.console import StandardError, console_renderer, is_terminal, shorten, write_all

ROOT = Path(__file__).resolve().parents[3]


def test_whatever_stands_in_for_standard_error_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    console = StandardError()
    for _ in range(2):
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        console.write("line\n")
        assert stream.getvalue() == "line\n"


def test_the_real_standard_error_is_written_by_its_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    real = SimpleNamespace(fileno=lambda: writing, encoding="ascii")  # its buffered writer is not to be used
    for name in ("stderr", "__stderr__"):
        monkeypatch.setattr(sys, name, real)
    StandardError().write("lïne\n")
    assert os.read(reading, 100) == b"l\\xefne\n"
    for fd in (reading, writing):
        os.close(fd)


def test_without_standard_error_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    StandardError().write("line\n")
    assert not is_terminal()


@pytest.mark.parametrize("terminal", [True, False])
def test_colours_are_for_a_terminal(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal))
    assert is_terminal() is terminal


def test_a_terminal_that_somebody_made_non_blocking_gets_everything() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    data = b"x" * 1_000_000
    found = bytearray()

    def read() -> None:
        while chunk := os.read(reading, 65_536):
            found.extend(chunk)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    write_all(writing, data)
    os.close(writing)
    reader.join(30)
    os.close(reading)
    assert bytes(found) == data


#: Closes the standard streams, reserves them, opens a file, and lets a child print.
CLOSED = """
import os, subprocess, sys
from bot.log.console import reserve_standard_streams
for fd in (0, 1, 2):
    os.close(fd)
reserve_standard_streams()
with open(sys.argv[1], "wb", buffering=0) as file:
    assert file.fileno() > 2, file.fileno()
    os.write(2, b"stray")
    child = "import os; os.fstat(2); os.write(2, b'stray')"
    sys.exit(subprocess.run([sys.executable, "-c", child]).returncode)
"""


def test_no_file_gets_the_number_of_a_closed_standard_stream(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CLOSED, str(tmp_path / "store")]
    assert subprocess.run(command, cwd=ROOT, timeout=60, check=False).returncode == 0
    assert (tmp_path / "store").read_bytes() == b""


STAMP = "2026-11-22T17:54:36.123456Z"


def rendered(**event: object) -> str:
    stamped = shorten(None, "", {"timestamp": STAMP, "logger": "bot.play.game_log"} | event)
    line = console_renderer(colors=False)(None, "", stamped)
    assert isinstance(line, str)
    return line


def test_a_move() -> None:
    assert (
        rendered(level="info", event="move", game_id="abcdefgh", san="12...Nf6", score="+0.34", depth=14, time_s=1.2)
        == "11-22 17:54:36 abcdefgh move 12...Nf6 score=+0.34 depth=14 time_s=1.2"
    )


@pytest.mark.parametrize(
    "event",
    [
        {"event": "move", "san": "100...Nbxd2+", "score": "-12.34", "depth": 64, "time_s": 99.9, "clock": "1:02:31",
         "lag_ms": 999},
        {"event": "game_opened", "url": "https://lichess.org/abcdefgh", "color": "white", "plies": 123},
        {"event": "game_begins", "opponent": "BOT A-Name-Of-20-Letters (2345)", "speed": "ultraBullet"},
        {"event": "game_over", "status": "insufficientMaterialClaim", "result": "aborted", "plies": 345},
        {"event": "challenge_refused", "by": "BOT A-Name-Of-20-Letters (2345)", "reason": "timeControl"},
    ],
)  # fmt: skip
def test_what_a_game_writes_fits_a_hundred_columns(event: dict[str, object]) -> None:
    assert len(rendered(level="info", game_id="abcdefgh", **event)) <= 100


def test_a_warning_names_its_module() -> None:
    assert rendered(level="warning", event="broken", again_in_s=2).endswith(
        "[warning] broken logger=bot.play.game_log again_in_s=2"
    )


def test_colours_change_nothing_but_colours() -> None:
    event = {"level": "warning", "timestamp": "11-22 17:54:36", "event": "move", "san": "1.e4", "depth": 3}
    plain = console_renderer(colors=False)(None, "", dict(event))
    colored = console_renderer(colors=True)(None, "", dict(event))
    assert isinstance(colored, str)
    assert colored != plain
    assert re.sub(r"\x1b\[\d+m", "", colored) == plain
