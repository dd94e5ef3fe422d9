"""The process of an opponent's engine is gone, and known to be gone, when the server has stopped."""

from __future__ import annotations

import gc
import shlex
import sys
import warnings

import psutil
import pytest

from bot.fake_lichess import FakeConfig, FakeLichess
from bot.fake_lichess.opponents.uci import engine_environment
from tests.helpers.engines import tiny_engine
from tests.helpers.fake import FAST

READS_NOTHING = "import time; time.sleep(60003)"


def engines_of_this_process(mark: str) -> list[int]:
    """The children that run a command with this word in it."""
    found = []
    for child in psutil.Process().children():
        try:
            found += [child.pid] if any(mark in word for word in child.cmdline()) else []
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize(
    ("command", "mark"),
    [
        ([*tiny_engine("think"), "--think-ms", "60001"], "60001"),
        ([*tiny_engine("silent"), "--think-ms", "60002"], "60002"),
        ([sys.executable, "-c", READS_NOTHING], "60003"),
    ],
    ids=["in a search", "at its start", "reads nothing"],
)
def test_a_stopped_server_has_waited_for_the_end_of_its_engines(command: list[str], mark: str) -> None:
    fake = FakeLichess(FakeConfig(**FAST))
    with fake:
        fake.add_account("Machine", opponent=f"engine8:{shlex.join(command)}")
        fake.challenge("bot88", "Machine", color="black", clock=(600, 0))
        (pid,) = fake.wait_for(lambda: engines_of_this_process(mark), what="the engine's process")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        del fake
        gc.collect()
    assert [str(one.message) for one in caught if f"subprocess {pid} is still running" in str(one.message)] == []
    assert not psutil.pid_exists(pid)


def test_no_engine_sees_the_token_of_the_bot_beside_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT88_TOKEN", "lip_secret")
    monkeypatch.setenv("BOT88__LICHESS__TOKEN", "lip_secret")
    found = engine_environment()
    assert "lip_secret" not in found.values()
    assert "PATH" in found
