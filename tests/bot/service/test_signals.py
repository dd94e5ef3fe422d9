"""Signals set flags; waits end with them."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from bot.service.signals import Stopped, StopSignals


def test_a_wait_ends_with_the_signal() -> None:
    signals = StopSignals()
    with signals.installed():
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()
        assert signals.wait(60.0)
    assert signals.asked
    assert not signals.forced
    assert signals.last is signal.SIGTERM


def test_a_wait_without_signal_says_so() -> None:
    assert not StopSignals().wait(0.01)


def test_the_second_signal_forces_and_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    signals = StopSignals()
    with signals.installed():
        os.kill(os.getpid(), signal.SIGINT)
        assert signals.wait(60.0)
        os.kill(os.getpid(), signal.SIGINT)
        while not signals.forced:
            signals.wait(0.01)
    assert signal.getsignal(signal.SIGINT) is before


def test_sighup_asks_for_a_reload_and_ends_nothing() -> None:
    before = signal.getsignal(signal.SIGHUP)
    signals = StopSignals()
    with signals.installed(reload=True):
        assert not signals.take_reload()
        os.kill(os.getpid(), signal.SIGHUP)
        assert not signals.wait(0.01)
        assert signals.take_reload()
        assert not signals.take_reload()
    assert not signals.asked
    assert signal.getsignal(signal.SIGHUP) is before


def test_sighup_is_left_alone_where_nothing_can_be_reloaded() -> None:
    before = signal.getsignal(signal.SIGHUP)
    with StopSignals().installed():
        assert signal.getsignal(signal.SIGHUP) is before


def test_work_gives_its_value_or_its_error() -> None:
    signals = StopSignals()
    assert signals.run(lambda: 42) == 42

    def fail() -> None:
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        signals.run(fail)


def test_work_that_hangs_is_left_behind() -> None:
    signals = StopSignals()
    release = threading.Event()
    threading.Timer(0.05, signals.ask).start()
    with pytest.raises(Stopped):
        signals.run(lambda: release.wait(60))
    release.set()


def test_the_third_signal_needs_no_thread_to_be_well(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[object] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    signals = StopSignals()
    signals.on_forced_exit = lambda: ended.append("terminal given back")
    for number in (signal.SIGTERM, signal.SIGTERM):
        signals._handle(number, None)
    assert ended == []
    signals._handle(signal.SIGINT, None)
    assert ended == ["terminal given back", 128 + signal.SIGINT]


def test_work_that_is_done_counts_though_a_signal_has_come() -> None:
    signals = StopSignals()

    def work() -> int:
        signals.ask()
        return 42

    assert signals.run(work) == 42
