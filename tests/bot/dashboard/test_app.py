"""Handlers of the dashboard; over real HTTP they are in tests/bot/service/test_build.py."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.requests import Request

from bot.dashboard import app
from bot.dashboard.app import STATIC, Pages
from bot.dashboard.log_tail import LoggedError
from bot.dashboard.metrics import Meters
from bot.dashboard.picture import Health, Picture
from bot.engine_pool.values import EntrySnapshot
from tests.bot.dashboard.pictures import WELL, game, picture


def pages(seen: Picture, *, signed_in: bool | None = None) -> Pages:
    """The handlers of a bot that is seen so."""
    unused = cast("Any", None)
    observer = SimpleNamespace(look=lambda: seen)
    operator = SimpleNamespace(is_signed_in=lambda _request: signed_in)
    return Pages(cast("Any", observer), Meters(), unused, cast("Any", operator))


def request(query: str = "", **path_params: str) -> Request:
    """A request for a page with such words in its path."""
    return Request({"type": "http", "path_params": path_params, "query_string": query.encode(), "headers": []})


@pytest.mark.parametrize(("health", "status"), [(WELL, 200), (Health(("no engine answers",), ready=False), 503)])
def test_health_and_readiness_are_told_by_the_status(health: Health, status: int) -> None:
    seen = pages(picture(health=health))
    told = seen.health(request())
    assert told.status_code == seen.ready(request()).status_code == status
    assert json.loads(bytes(told.body))["reasons"] == list(health.reasons)


def test_health_tells_what_a_person_needs_who_is_called_at_night() -> None:
    error = LoggedError("engine_died", "signal 9", 7.0)
    engines = (EntrySnapshot("one", 2, 0, 0, 0, 0, (1, 2)), EntrySnapshot("two", 2, 0, 0, 0, 0, (3,)))
    seen = pages(picture(last_error=error, engines=engines, stream_age_s=1.26, games=(game(),)))
    assert json.loads(bytes(seen.health(request()).body)) == {
        "well": True,
        "reasons": [],
        "event_stream_age_s": 1.3,
        "engine_processes": 3,
        "games": 1,
        "last_error": {"event": "engine_died", "text": "signal 9", "at_s": 7.0},
    }
    bare = json.loads(bytes(pages(picture(stream_age_s=None)).health(request()).body))
    assert (bare["event_stream_age_s"], bare["last_error"]) == (None, None)
    assert json.loads(bytes(seen.ready(request()).body)) == {"ready": True, "reasons": []}


def test_the_state_is_the_picture_and_whether_the_bot_is_well() -> None:
    told = json.loads(bytes(pages(picture(games=(game(),), free_slots=3)).state(request()).body))
    assert told["results"] == {"won": 1, "drawn": 0, "lost": 0}
    assert (told["well"], told["free_slots"], told["games"][0]["game_id"]) == (True, 3, "abcdefgh")


def test_every_file_of_the_page_is_served_with_its_type_and_nothing_else_is() -> None:
    seen = pages(picture())
    names = {path.name for path in STATIC.iterdir() if path.suffix in (".css", ".js")}
    assert {"style.css", "live.js", "replay.js", "theme.js"} <= names
    for name in names:
        answer = seen.file(request(name=name))
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        assert (answer.status_code, answer.headers["content-type"]) == (200, f"{kind}; charset=utf-8")
        assert bytes(answer.body) == (STATIC / name).read_bytes()
        assert answer.headers["x-content-type-options"] == "nosniff"
    for name in ("../app.py", "app.py", ""):
        assert seen.file(request(name=name)).status_code == 404
    assert seen.icon(request()).headers["content-type"] == "image/svg+xml"
    assert seen.metrics(request()).headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


@pytest.mark.parametrize(("signed_in", "offered"), [(None, False), (False, False), (True, True)])
def test_commands_are_on_the_page_of_who_is_signed_in(signed_in: bool | None, offered: bool) -> None:
    page = pages(picture(), signed_in=signed_in).page(request())
    assert (b'action="/command"' in bytes(page.body)) is offered
    assert page.headers["content-type"] == "text/html; charset=utf-8"


def stream_of(versions: Sequence[int], monkeypatch: pytest.MonkeyPatch, every_s: float = 0.0) -> list[str]:
    """What the event stream says while the page's version goes through these; the server stops after the last."""
    monkeypatch.setattr(app, "CHANGES_EVERY_S", every_s)
    left, unused = list(versions), cast("Any", None)
    observer = SimpleNamespace(look=lambda: SimpleNamespace(version=left.pop(0)))
    handlers = Pages(cast("Any", observer), unused, lambda: not left, unused)

    async def collect(lines: AsyncIterator[str]) -> list[str]:
        return [line async for line in lines]

    return asyncio.run(collect(handlers._changes()))


def test_the_event_stream_tells_of_the_first_look_and_of_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    change = "event: change\ndata:\n\n"
    assert stream_of([1, 1, 2, 2, 1], monkeypatch) == [change] * 3


def test_between_two_looks_a_second_passes_in_short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nobody who watches makes the bot busy, or holds up its end."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    stream_of([1, 1, 1], monkeypatch, every_s=1.0)
    assert sum(slept) == pytest.approx(2.0)
    assert max(slept) <= 0.2


def test_a_quiet_event_stream_gives_a_sign_of_life_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SIGN_OF_LIFE_EVERY", 3)
    change, alive = "event: change\ndata:\n\n", ": still here\n\n"
    assert stream_of([1, 1, 1, 1, 1, 1, 1], monkeypatch) == [change, alive, alive]
    assert stream_of([1, 1, 1, 2, 2, 2, 2], monkeypatch) == [change, change, alive], "counted from the last news on"
