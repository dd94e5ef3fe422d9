"""Whole seeds: what must hold holds, a seed is one run, and faults put in on purpose are found."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import cast

import pytest

from bot.account import dispatcher
from bot.account.account_reader import AccountReader
from bot.account.dispatcher import Dispatcher
from bot.archive.database import Database
from bot.archive.look_up import GameLookUp
from bot.archive.recorder import GameRecorder
from bot.backoff import Backoff, Pacer
from bot.errors import StreamBroken
from bot.events.account import AccountEvent
from bot.lichess.rate_limits import WindowStore
from bot.play import move_search, outbox
from bot.play.conduct import OfferAnswers
from bot.play.outbox import Outbox, PostedMove
from bot.play.time_control import limit_for
from bot.supervised_loop import SupervisedLoop
from tests.helpers.examples import scaled
from tests.simulation import __main__ as command
from tests.simulation.game import ME, SimulatedGame
from tests.simulation.lichess import SimulatedLichess
from tests.simulation.network import BAD_GATEWAY, CALM, FAULTS, PROFILES, SLOW_BOOK, Network, Stream
from tests.simulation.schedule import ACCOUNT, LISTS, Loss, Schedule
from tests.simulation.scheduler import START_S, Scheduler
from tests.simulation.trial import Outcome, Trial, faults_of


@pytest.mark.parametrize("profile", ["calm", "rough", "storm"])
def test_seeds_hold(profile: str) -> None:
    outcomes = [Trial(seed, profile).run() for seed in range(1, 1 + scaled(5))]
    assert [(one.seed, one.wrong, one.avoidable, one.crossed) for one in outcomes if one.failed] == []
    assert sum(one.plies for one in outcomes) > 100 * len(outcomes)
    assert (sum(one.kills for one in outcomes) > 0) == (profile != "calm")


@pytest.mark.parametrize("fault", FAULTS)
def test_seeds_hold_with_each_fault(fault: str) -> None:
    outcomes = [Trial(seed, "calm", faults=frozenset({fault})).run() for seed in range(1, 1 + scaled(2))]
    assert [(one.seed, one.wrong, one.avoidable, one.crossed) for one in outcomes if one.failed] == []


def test_seeds_combine_faults() -> None:
    drawn = [faults_of(seed) for seed in range(1000)]
    assert frozenset().union(*drawn) == set(FAULTS)
    assert {len(faults) for faults in drawn} >= {0, 1, 2, 3, 4}


def test_a_seed_is_one_run() -> None:
    first, again, other = (Trial(seed, "rough").run() for seed in (7, 7, 8))
    assert first.digest == again.digest != other.digest
    assert first.steps == again.steps


def test_the_real_threads_and_clock_are_back_afterwards() -> None:
    Trial(1, "calm", games=1).run()
    assert vars(outbox)["threading"] is threading
    assert vars(outbox)["time"] is time
    assert not SupervisedLoop("idle", lambda: None).running


def finds(word: str, profile: str, seeds: int = 60, faults: frozenset[str] = frozenset(), first: int = 1) -> bool:
    """Whether one of the seeds shows a fault that was put in; ends with the first that does."""
    outcomes = (Trial(seed, profile, faults=faults).run() for seed in range(first, first + seeds))
    return any(word in str(line) for one in outcomes for line in [*one.wrong, *one.crossed, *one.avoidable])


def test_a_disk_that_a_reader_waits_for_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Database, "put", lambda self, _name, work, **_: self._transact(work))
    assert finds("account-stream waits for BEGIN IMMEDIATE", "calm", 1)


def test_a_second_request_that_a_reader_waits_for_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dispatcher, "_on_open", lambda self: self.reconciler._fetch_and_compare())
    assert finds("account-stream waits for list of games", "calm", 1)


def test_a_line_that_keeps_a_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    handle = Dispatcher.handle_event

    def handle_late(self: Dispatcher, event: AccountEvent) -> None:
        vars(dispatcher)["time"].sleep(1.5)
        handle(self, event)

    monkeypatch.setattr(Dispatcher, "handle_event", handle_late)
    assert finds("a reader's thread took", "calm", 1)


@pytest.mark.parametrize(("kind", "seed"), [("game stream", 1), ("other", 8), ("all", 1)])
def test_requests_without_pauses_are_found(kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seed is one that shows the fault, as a rule; else one of those after it must."""
    monkeypatch.setattr(Backoff, "next_s", lambda _self, _least_s=0.0: 0.01)
    monkeypatch.setattr(Pacer, "delay_s", lambda *_args, **_how: 0.0)
    monkeypatch.setattr(GameLookUp.__init__, "__defaults__", (0.0,))
    assert finds(f"({kind})", "storm", faults=frozenset({BAD_GATEWAY}), first=seed)


def test_a_clock_that_runs_while_a_book_is_asked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_search, "limit_for", lambda game, _now_s, *how: limit_for(game, game.clocks_told_s, *how))
    assert finds("an engine was given", "calm", faults=frozenset({SLOW_BOOK}))


def test_a_game_that_is_not_recorded_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GameRecorder, "ended", lambda _self, _ended: None)
    assert finds("not recorded", "calm", 1)


def test_a_loss_is_avoidable_if_its_schedule_leaves_time_for_a_move() -> None:
    scheduler = Scheduler(1)
    schedule = Schedule(scheduler)
    schedule.add("stream silent", "game0001", from_s=1000.0, until_s=1011.0)
    schedule.add("stream silent", "game0002", from_s=1000.0, until_s=1060.0)
    post = schedule.add("move e2e4", "game0001", from_s=1012.0)
    post.end(1050.0, ": timed out")
    schedule.add("list of games", ACCOUNT, from_s=1000.0, until_s=1060.0)  # the game is known already
    scheduler.now_s = 1050.0
    loss = schedule.loss("game0001", 1000.0)
    assert (loss.free_s, loss.avoidable) == (1.0, False)
    assert str(loss).splitlines() == [
        "game0001: lost on time after 50.0 s, 1.0 s of them free: unavoidable",
        "       0.00 to  11.00 s  stream silent",
        "      11.00 to  12.00 s  -- free",
        "      12.00 to  50.00 s  move e2e4: timed out",
    ]
    assert (schedule.first_s("game0001"), schedule.first_s("game0003")) == (1000.0, -math.inf)
    scheduler.now_s = 1063.0
    assert schedule.loss("game0001", 1000.0).avoidable


def test_a_list_that_hides_a_game_covers_the_pause_of_a_bot_that_does_not_know_it() -> None:
    scheduler = Scheduler(1)
    schedule = Schedule(scheduler)
    for game_id in ("game0001", "game0002"):
        schedule.add("list of games: without it", LISTS + game_id, until_s=START_S + 5.0)
    schedule.add("game's stream", "game0002", from_s=START_S, until_s=START_S + 1.0)
    scheduler.now_s = START_S + 6.0
    assert schedule.loss("game0001", START_S).free_s == 1.0
    assert schedule.loss("game0002", START_S).free_s == 5.0  # known


def test_an_export_is_known_when_its_answer_arrives() -> None:
    scheduler, store = Scheduler(1), cast("WindowStore", SimpleNamespace(windows=dict, stream_opens=list))
    for profile, known in ((CALM, True), (replace(CALM, answer_lost=1.0), False)):
        server = SimulatedLichess(Network(scheduler, profile), 1, lambda *_: True)
        game = SimulatedGame(scheduler, "game0001", True, ME, 60.0, 0.0)
        server.games[game.game_id] = game
        server.connect(store)
        game.end("resign", True)
        scheduler.spawn(partial(server.export_game, game.game_id), "look-up")
        scheduler.run(lambda: not scheduler.tasks("main"), 60.0)
        assert (game.known_over_s is not None) is known


def test_a_reader_that_waits_is_woken_by_a_reset() -> None:
    scheduler, broken_s = Scheduler(1), list[float]()
    stream: Stream[str] = Stream(Network(scheduler, CALM), ACCOUNT)

    def read() -> None:
        with pytest.raises(StreamBroken, match="reset"):
            next(iter(stream))
        broken_s.append(scheduler.now_s)

    def cut() -> None:
        scheduler.sleep(1.0)
        stream.cut()

    scheduler.spawn(read, "reader")
    scheduler.spawn(cut, "server")
    scheduler.run(lambda: bool(broken_s), 60.0)
    assert broken_s == [START_S + 1.0]


def test_a_move_that_is_never_settled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Outbox, "settle", lambda _self, _game: None)
    assert finds(": avoidable", "calm", 2)


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


def test_the_command_tells_failing_seeds_losses_and_sums(capsys: pytest.CaptureFixture[str]) -> None:
    good = Outcome(1, "calm", games=4, plies=160, steps=5000)
    unlucky = Outcome(2, "storm", ("502",), lost=[Loss("game0001", 30.0, 0.5, ("the schedule",))])
    bad = Outcome(3, "rough", wrong=["two games at once"], trace=["the last step"])
    assert command.tell([good, unlucky], trace=False) == 0
    told = capsys.readouterr().out
    assert "seed 2 (storm, 502):\n  game0001: lost on time after 30.0 s, 0.5 s of them free: unavoidable\n" in told
    assert "lost on time: 0 in calm, 0 in rough, 1 in storm, 0 avoidable" in told
    assert "2 seeds, 0 failed" in told
    assert command.tell([good, bad], trace=True) == 1
    told = capsys.readouterr().out
    assert "seed 3 (rough):\n  two games at once\nthe last step" in told
    assert "2 seeds, 1 failed; 4 games, 160 plies" in told
    assert command.tell([Outcome(4, "storm", lost=[Loss("game0001", 30.0, 9.0, ())])], trace=False) == 1


def test_the_command_runs_seeds_in_processes() -> None:
    options = command.arguments(["--seeds", "3", "--jobs", "2", "--games", "1", "--profile", "calm"])
    assert [one.seed for one in command.outcomes(options)] == [1, 2, 3]
    with pytest.raises(SystemExit):
        command.arguments(["--seeds", "0"])
    with pytest.raises(SystemExit):
        command.arguments(["--faults", "507"])
