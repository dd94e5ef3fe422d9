"""Whole seeds: what must hold holds, a seed is one run, and faults put in on purpose are found."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from bot.account.account_reader import AccountReader
from bot.play import outbox
from bot.play.conduct import OfferAnswers
from bot.play.outbox import Outbox, PostedMove
from bot.supervised_loop import SupervisedLoop
from tests.helpers.examples import scaled
from tests.simulation import __main__ as command
from tests.simulation.network import CALM, PROFILES
from tests.simulation.trial import Outcome, Trial


@pytest.mark.parametrize("profile", ["calm", "rough", "storm"])
def test_seeds_hold(profile: str) -> None:
    outcomes = [Trial(seed, profile).run() for seed in range(1, 1 + scaled(5))]
    assert [(one.seed, one.wrong, one.unlucky) for one in outcomes if one.failed] == []
    assert sum(one.plies for one in outcomes) > 100 * len(outcomes)
    assert (sum(one.kills for one in outcomes) > 0) == (profile != "calm")


def test_a_seed_is_one_run() -> None:
    first, again, other = (Trial(seed, "rough").run() for seed in (7, 7, 8))
    assert first.digest == again.digest != other.digest
    assert first.steps == again.steps


def test_the_real_threads_and_clock_are_back_afterwards() -> None:
    Trial(1, "calm", games=1).run()
    assert vars(outbox)["threading"] is threading
    assert vars(outbox)["time"] is time
    assert not SupervisedLoop("idle", lambda: None).running


def finds(word: str, profile: str, seeds: int = 60) -> bool:
    """Whether one of the seeds tells of a fault that was put in; ends with the first that does."""
    outcomes = (Trial(seed, profile).run() for seed in range(1, 1 + seeds))
    return any(word in line for one in outcomes for line in one.wrong + one.unlucky)


def test_a_move_that_is_never_settled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Outbox, "settle", lambda _self, _game: None)
    assert finds("lost on time", "calm", 2)


def test_a_thread_that_is_not_started_again_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROFILES, "calm", replace(CALM, no_thread=0.3))
    assert not finds("", "calm", 3)
    monkeypatch.setattr(SupervisedLoop, "ensure_started", SupervisedLoop.start)
    assert finds("still runs", "calm", 30)


@pytest.mark.slow
def test_takebacks_that_cross_moves_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = OfferAnswers.answer
    monkeypatch.setattr(OfferAnswers, "answer", lambda *args, **_: answer(*args, moving=False) and False)
    assert finds("another position", "storm", 300)


def test_a_stream_that_outlives_its_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AccountReader, "close", lambda self: self._loop.stop())
    assert finds("threads left: account-stream", "calm", 2)


def test_a_move_that_is_posted_on_after_a_known_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Outbox, "close", lambda _self: None)  # the move under way is not let go of
    assert finds("after the end, of which it knew for", "storm")


def test_a_fault_in_a_thread_of_the_bot_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PostedMove, "loss_ms", lambda _self, _game: 1 // 0)
    assert finds("fault", "calm", 1)


def test_the_command_tells_failing_seeds_and_sums(capsys: pytest.CaptureFixture[str]) -> None:
    good = Outcome(1, "calm", games=4, plies=160, steps=5000)
    unlucky = Outcome(2, "storm", unlucky=["game0001: lost on time"])
    bad = Outcome(3, "rough", wrong=["two games at once"], trace=["the last step"])
    assert command.tell([good, unlucky], trace=False) == 0
    assert "2 seeds, 0 failed" in capsys.readouterr().out
    assert command.tell([good, bad], trace=True) == 1
    told = capsys.readouterr().out
    assert "seed 3 (rough):\n  two games at once\nthe last step" in told
    assert "2 seeds, 1 failed; 4 games, 160 plies" in told


def test_the_command_runs_seeds_in_processes() -> None:
    options = command.arguments(["--seeds", "3", "--jobs", "2", "--games", "1", "--profile", "calm"])
    assert [one.seed for one in command.outcomes(options)] == [1, 2, 3]
    with pytest.raises(SystemExit):
        command.arguments(["--seeds", "0"])
