"""Results with a user, from the store."""

from __future__ import annotations

import time

from structlog.typing import EventDict

from bot.account.account_facts import recent_games_with, results_with
from bot.archive.store import Store
from bot.events.game import Outcome
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import blitz, is_written, record_game


def test_results_are_ours_and_recent_games_are_those_of_one_opponent() -> None:
    store, now_s = closed_at_end(Store()), time.time()
    results = (("white", "1-0"), ("black", "1-0"), ("black", "0-1"), ("white", "1/2-1/2"), ("white", "*"))
    for number, (color, result) in enumerate(results):
        record_game(
            store, blitz(f"game{number}", result, color=color, opponent="alice", ended_s=now_s - 1000.0 * number)
        )
    is_written(store, 30.0)
    assert results_with(store, "alice") == {Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 1, None: 1}
    assert results_with(store, "bob") == {}
    assert recent_games_with(store, "alice", 2500.0) == 3
    assert recent_games_with(store, "bob", 2500.0) == 0


def test_a_store_that_cannot_be_read_knows_nothing(logs: list[EventDict]) -> None:
    store = Store()
    store.close()
    assert results_with(store, "alice") is None
    assert recent_games_with(store, "alice", 60.0) == 0
    assert [(line["event"], line["opponent"]) for line in logs] == [
        ("results_not_read", "alice"), ("games_not_counted", "alice"),
    ]  # fmt: skip
