"""A loop is known to the ticker before its threads run."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.helpers.game_harness import GameHarness


@pytest.fixture
def harness() -> Iterator[GameHarness]:
    one = GameHarness()
    yield one
    one.loop.leave()
    assert one.loop.join(30)


def test_a_tick_while_the_game_is_being_started_opens_no_second_stream(
    harness: GameHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    ticks: list[threading.Thread] = []

    def start_slowly(purpose: str, _game_id: str, _work: object) -> bool:
        if not ticks:  # the ticker comes by while the thread is being made
            ticks.append(threading.Thread(target=harness.loop.tick, args=(100.0,)))
            ticks[0].start()
            ticks[0].join(0.3)
        started.append(purpose)
        return True

    monkeypatch.setattr("bot.play.game_stream.start_thread", start_slowly)
    monkeypatch.setattr("bot.play.outbox.start_thread", start_slowly)
    harness.loop.start()
    ticks[0].join(30)
    assert sorted(started) == ["game", "outbox"]
