"""Handlers of the dashboard; over real HTTP they are in tests/bot/app/test_dashboard.py."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.requests import Request

from bot.dashboard.app import Pages
from bot.dashboard.games import GameView
from bot.dashboard.health import Health
from bot.dashboard.picture import Picture
from tests.bot.dashboard.pictures import WELL, game, picture


def pages(seen: Picture, *just_ended: GameView) -> Pages:
    """The handlers of a bot that is seen so."""
    unused = cast("Any", None)
    observer = SimpleNamespace(look=lambda: seen, just_ended=lambda: just_ended)
    return Pages(cast("Any", observer), unused, unused, unused)


def request(**path_params: str) -> Request:
    """A request for a page with such words in its path."""
    return Request({"type": "http", "path_params": path_params, "query_string": b"", "headers": []})


@pytest.mark.parametrize(("health", "status"), [(WELL, 200), (Health(("no engine answers",), ready=False), 503)])
def test_health_and_readiness_are_told_by_the_status(health: Health, status: int) -> None:
    seen = pages(picture(health=health))
    told = seen.health(request())
    assert told.status_code == seen.ready(request()).status_code == status
    assert json.loads(bytes(told.body))["reasons"] == list(health.reasons)


def test_the_board_is_that_of_the_game_asked_for() -> None:
    moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    seen = pages(
        picture(games=(game(game_id="zzzzzzzz"), game(game_id="aaaaaaaa", fen=moved))), game(game_id="mmmmmmmm")
    )
    first, second, ended = (seen.board(request(game_id=name)) for name in ("zzzzzzzz", "aaaaaaaa", "mmmmmmmm"))
    assert (first.status_code, second.status_code, ended.status_code) == (200, 200, 200)
    assert first.body == ended.body != second.body
    assert seen.board(request(game_id="bbbbbbbb")).status_code == 404
