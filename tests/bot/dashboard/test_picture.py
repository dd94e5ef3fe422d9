"""One picture a second, and what it must not show."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.account.store import GameRecord
from bot.dashboard import picture as picture_module
from bot.dashboard.picture import Observer, Sources, result_for_us
from bot.engine_pool import EntrySnapshot
from bot.errors import StoreError


def record(result: str, color: str = "white") -> GameRecord:
    """A finished game."""
    return GameRecord("abcdefgh", "alice", False, color, "standard", "blitz", True, "mate", result, 40, 1.0)


def observer(**functions: Any) -> Observer:
    """An observer of a bot that is starting, unless said otherwise."""
    plain: dict[str, Any] = {
        "server_url": "http://server",
        "account": lambda: None,
        "snapshot": lambda: None,
        "engines": tuple,
        "limits": dict,
        "limited": dict,
        "games_since": lambda _since_s: (),
    }
    return Observer(Sources(**(plain | functions)))


@pytest.mark.parametrize(
    ("result", "color", "ours"),
    [
        ("1-0", "white", "won"),
        ("1-0", "black", "lost"),
        ("0-1", "black", "won"),
        ("1/2-1/2", "white", "drawn"),
        ("*", "white", "without result"),
    ],
)
def test_the_result_is_ours(result: str, color: str, ours: str) -> None:
    assert result_for_us(record(result, color)) == ours


def test_before_the_account_is_known_the_bot_is_starting() -> None:
    seen = observer().look()
    assert seen.health.reasons == ("it is starting",)
    assert (seen.games, seen.waiting, seen.account) == ((), (), "")


def test_however_many_ask_one_picture_a_second_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def limits() -> dict[str, float]:
        taken.append(1)
        return {}

    watching = observer(limits=limits)
    first = watching.look()
    assert all(watching.look() is first for _ in range(50))
    assert len(taken) == 1
    monkeypatch.setattr(picture_module, "LOOK_EVERY_S", 0.0)
    assert watching.look() is not first


def test_a_store_that_cannot_be_read_costs_the_results_alone() -> None:
    def broken(_since_s: float) -> tuple[GameRecord, ...]:
        raise StoreError("disk I/O error")

    with capture_logs() as lines:
        assert observer(games_since=broken).look().results is None
    assert [line["event"] for line in lines] == ["results_not_read"]


def test_the_token_is_not_shown_even_if_an_engine_wrote_it() -> None:
    entry = EntrySnapshot("engine", 1, 0, 0, 0, 1, (), last_error="died: BOT88_TOKEN=lip_secret")
    (shown,) = observer(engines=lambda: (entry,), secret="lip_secret").look().engines
    assert shown.last_error == "died: BOT88_TOKEN=***"


def test_the_version_changes_with_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_module, "LOOK_EVERY_S", 0.0)
    limits: dict[str, float] = {}
    watching = observer(limits=lambda: limits)
    before = watching.look().version
    assert watching.look().version == before
    limits["chat"] = 60.0
    limited = watching.look().version
    assert limited != before
    limits["chat"] = 59.0
    assert watching.look().version == limited
