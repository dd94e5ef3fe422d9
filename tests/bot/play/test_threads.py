"""Threads that cannot be started for a moment."""

from __future__ import annotations

import threading
import time

import pytest

from bot.supervised_loop import start_thread
from tests.helpers.game_harness import GameHarness
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


def test_a_thread_runs_under_the_name_of_its_purpose_and_game() -> None:
    threads = list[threading.Thread]()
    assert start_thread("end", "abcdefgh", lambda: threads.append(threading.current_thread()))
    assert wait_until(lambda: [thread.name for thread in threads] == ["end-abcdefgh"])
    assert threads[0].daemon  # one that hangs does not keep the program from ending


def test_a_refused_thread_is_told_and_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_threads(monkeypatch)
    assert not start_thread("end", "abcdefgh", lambda: None)


def test_a_loop_starts_when_threads_can_be_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    harness, start = GameHarness(), threading.Thread.start
    refuse_threads(monkeypatch)
    harness.loop.start()
    harness.loop.tick(time.monotonic())
    assert harness.server.streams == []
    monkeypatch.setattr(threading.Thread, "start", start)
    for _ in range(3):
        harness.loop.tick(time.monotonic())
    assert wait_until(lambda: harness.server.count("stream") == 1)
    refuse_threads(monkeypatch)
    harness.loop.leave()
    monkeypatch.setattr(threading.Thread, "start", start)
    harness.loop.tick(time.monotonic())
    assert harness.loop.join(30)
