"""The command: greets, serves, ends in good order; tells wrong settings in one line."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import requests

from bot.fake_lichess.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def serving() -> object:
    """A server in a process of its own: the process and its first line."""
    command = [sys.executable, "-m", "bot.fake_lichess", "--port", "0", "--seed", "3"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    guard = threading.Timer(120, process.kill)
    guard.start()
    yield process
    guard.cancel()
    process.kill()
    process.communicate()


def test_it_serves_until_it_is_told_to_stop(serving: subprocess.Popen[str]) -> None:
    assert serving.stdout is not None
    first = serving.stdout.readline()
    url = first.split()[-1]
    assert first.startswith("fake Lichess on http://127.0.0.1:")
    account = requests.get(url + "/api/account", headers={"Authorization": "Bearer lip_bot88"}, timeout=60)
    assert account.json()["title"] == "BOT"
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(60) == 0
    rest = serving.stdout.read()
    assert serving.stderr is not None
    assert serving.stderr.read() == ""
    assert "lip_bot88" in rest
    assert "played by the server (random)" in rest


@pytest.mark.parametrize(
    ("text", "word"), [("accounts: 5", "accounts"), ("prot: 1", "prot"), ("port: [", "fake.yml"), (None, "fake.yml")]
)
def test_a_wrong_file_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, word: str
) -> None:
    path = tmp_path / "fake.yml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["--config", str(path)]) == 2
    told = capsys.readouterr().err
    assert word in told
    assert "Traceback" not in told


def test_an_unknown_fault_profile_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--faults", "hurricane"]) == 2
    assert "calm, flaky, storm" in capsys.readouterr().err
