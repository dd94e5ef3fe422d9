"""The threads that post the moves of one game, and the time that posting takes."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from bot.play import outbox
from bot.play.lag import LagMeter
from bot.play.outbox import Outbox
from tests.helpers.games import game
from tests.helpers.outbox_harness import OutboxHarness, quicken
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)


def box_of(game_id: str) -> tuple[Outbox, list[str]]:
    """An outbox of a game of its own, and what is posted."""
    posts = list[str]()
    return Outbox(game_id, lambda uci, _draw: posts.append(uci), lambda _why: None, LagMeter()), posts


def workers_of(game_id: str) -> int:
    """Its threads."""
    return sum(thread.name == f"outbox-{game_id}" for thread in threading.enumerate())


def test_one_worker_waits_for_the_first_move_and_serves_the_game() -> None:
    box, posts = box_of("waiting0")
    assert box.start()
    assert workers_of("waiting0") == 1
    assert box.start()
    move = box.send(game(), "e2e4")
    assert wait_until(lambda: move.accepted)
    for _ in range(3):
        box.tick(time.monotonic() + 60.0)  # long accepted, only not shown yet: no reason for another POST
    assert workers_of("waiting0") == 1
    assert (posts, move.hedges) == (["e2e4"], 0)
    box.close()
    assert wait_until(lambda: workers_of("waiting0") == 0)


def test_a_worker_that_could_not_be_started_is_replaced_at_the_next_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    box, posts = box_of("scarce00")
    refused = refuse_threads(monkeypatch, times=2)
    assert not box.start()
    move = box.send(game(), "e2e4")
    assert len(refused) == 2
    box.tick(time.monotonic())
    assert wait_until(lambda: move.accepted)
    for _ in range(3):
        box.tick(time.monotonic())
    assert (posts, workers_of("scarce00")) == (["e2e4"], 1)
    box.close()
    assert wait_until(lambda: workers_of("scarce00") == 0)


def test_a_post_that_hangs_for_a_move_already_shown_is_left_alone() -> None:
    gate = threading.Event()
    harness = OutboxHarness(lambda: gate.wait(60))
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")
    harness.outbox.tick(time.monotonic() + 60.0)
    gate.set()
    harness.outbox.close()
    assert harness.posts == [("f1b5", False)]


def test_the_time_that_a_post_takes_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    monkeypatch.setattr(outbox, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    harness = OutboxHarness(lambda: now_s.__setitem__(0, 1000.25))
    move = harness.send()
    assert wait_until(lambda: move.accepted)
    assert move.posted_s == 1000.0
    assert harness.lag.round_trip_ms == pytest.approx(250.0)
    harness.outbox.close()
