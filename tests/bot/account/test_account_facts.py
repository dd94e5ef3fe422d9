"""Results with a user, from the store."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.account import account_facts
from bot.account.account_facts import recent_games_with, results_with
from bot.archive.store import GameRecord
from bot.errors import StoreError
from bot.play.chat.facts import Results


def record(color: str, result: str, status: str = "mate") -> GameRecord:
    """A finished game with Alice."""
    return GameRecord("abcdefgh", "alice", False, color, "standard", "blitz", True, status, result, 40, 1000.0)


class Games:
    """A store of these games; without any it cannot be read."""

    def __init__(self, *records: GameRecord) -> None:
        self.records = list(records)
        self.since_s = -1.0

    def games_since(self, since_s: float, opponent_id: str = "") -> list[GameRecord]:
        """All games of that opponent."""
        self.since_s = since_s
        if not self.records:
            raise StoreError("the store cannot be read: locked")
        return [one for one in self.records if one.opponent_id == opponent_id]


def test_wins_draws_and_losses_are_ours_and_games_without_result_do_not_count() -> None:
    store = Games(
        record("white", "1-0"), record("black", "1-0"), record("black", "0-1"), record("white", "1/2-1/2"),
        record("white", "*", "aborted"),
    )  # fmt: skip
    assert results_with(store, "alice") == Results(won=2, drawn=1, lost=1)
    assert results_with(store, "bob") == Results()
    assert store.since_s == 0.0


def test_a_store_that_cannot_be_read_knows_nothing() -> None:
    with capture_logs() as lines:
        assert results_with(Games(), "alice") is None
        assert recent_games_with(Games(), "alice", 60.0) == 0
    assert [(line["event"], line["opponent"]) for line in lines] == [
        ("results_not_read", "alice"), ("games_not_counted", "alice"),
    ]  # fmt: skip


def test_games_of_the_last_hour_are_counted_of_one_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_facts, "time", SimpleNamespace(time=lambda: 5000.0))
    store = Games(record("white", "1-0"), record("black", "1-0"))
    assert recent_games_with(store, "alice", 3600.0) == 2
    assert store.since_s == 1400.0
    assert recent_games_with(store, "bob", 3600.0) == 0
