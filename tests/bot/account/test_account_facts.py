"""Results with a user, from the store."""

from __future__ import annotations

from bot.account.account_facts import results_with
from bot.account.store import GameRecord
from bot.errors import StoreError
from bot.play.chat.facts import Results


def record(color: str, result: str, status: str = "mate") -> GameRecord:
    """A finished game with Alice."""
    return GameRecord("abcdefgh", "alice", False, color, "standard", "blitz", True, status, result, 40, 1000.0)


class Games:
    """A store of these games; without any it cannot be read."""

    def __init__(self, *records: GameRecord) -> None:
        self.records = list(records)

    def games_since(self, since_s: float, opponent_id: str = "") -> list[GameRecord]:
        """All games of that opponent."""
        assert since_s == 0.0
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


def test_a_store_that_cannot_be_read_knows_nothing() -> None:
    assert results_with(Games(), "alice") is None
