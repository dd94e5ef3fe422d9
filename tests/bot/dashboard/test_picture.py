"""Pictures of the whole bot, and whether it is well."""

from __future__ import annotations

import logging
import os
import sys
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import chess
import pytest
from chess.engine import Cp, PovScore
from structlog.testing import capture_logs

from bot.account.dispatcher import Snapshot
from bot.account.slots import SlotUse
from bot.archive.game_record import GameRecord
from bot.dashboard import picture as picture_module
from bot.dashboard.games import Side
from bot.dashboard.log_tail import LoggedError
from bot.dashboard.picture import (
    RECENT_GAMES,
    STALE_AFTER_S,
    Health,
    Observer,
    Sources,
    Waiting,
    resident_bytes,
)
from bot.engine_pool.values import EntrySnapshot
from bot.errors import StoreError
from bot.events.game import Outcome
from tests.bot.dashboard.pictures import PLAIN, kept, picture
from tests.bot.dashboard.pictures import game as view_of
from tests.helpers.finished_games import record


def test_red_comes_within_thirty_seconds_of_a_cut() -> None:
    assert STALE_AFTER_S < 30


def observer(**functions: Any) -> Observer:
    """An observer of a bot that is starting, unless said otherwise."""
    return Observer(Sources(**(PLAIN | functions)))


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
    def broken(_since_s: float) -> list[GameRecord]:
        raise StoreError("disk I/O error")

    with capture_logs() as lines:
        seen = observer(played=broken).look()
    assert (seen.results, seen.recent) == (None, None)
    assert [line["event"] for line in lines] == ["results_not_read"]


def test_the_token_is_not_shown_even_if_an_engine_wrote_it() -> None:
    entry = EntrySnapshot("engine", 1, 0, 0, 0, 1, (), last_error="died: BOT88_TOKEN=lip_secret")
    (shown,) = observer(engines=lambda: (entry,), secrets=("lip_secret",)).look().engines
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


def test_a_new_line_of_the_log_and_a_pause_are_new_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_module, "LOOK_EVERY_S", 0.0)
    paused = [False]
    watching = observer(paused=lambda: paused[0])
    before = watching.look().version
    watching.tail.emit(logging.LogRecord("bot", logging.INFO, "", 0, "text", None, None))
    logged = watching.look()
    assert logged.version != before
    assert [line.event for line in logged.log] == ["bot"]
    paused[0] = True
    assert watching.look().version != logged.version


def test_the_latest_games_are_in_the_picture_and_all_can_be_asked_for() -> None:
    many = [kept(f"game{number:04}", time.time() - number) for number in range(30)]
    watching = observer(played=lambda _since_s: many)
    seen = watching.look()
    assert seen.recent is not None
    assert [game.game_id for game in seen.recent] == [f"game{number:04}" for number in range(RECENT_GAMES)]
    assert len(watching.played() or ()) == 30
    assert list(seen.ratings) == ["blitz"]
    assert observer().look().recent == ()


ONE, OTHER = kept("one"), kept("other")


@pytest.mark.parametrize(
    "news",
    [
        {"games": (view_of(ply=2),)},
        {"games": (view_of(last_uci="e2e4"),)},
        {"games": (view_of(scores=((1, PovScore(Cp(5), chess.WHITE)),)),)},
        {"games": (view_of(game_id="another1"),)},
        {"games": ()},
        {"limits": {"chat": 9.0}},
        {"results": {Outcome.WIN: 2}},
        {"health": Health(("no engine answers",), ready=False)},
        {"waiting": (Waiting("Carl", "3+2"),)},
        {"free_slots": 1},
        {"last_error": LoggedError("engine_died", "", 1.0)},
        {"paused": True},
        {"recent": (OTHER, ONE)},
        {"recent": ()},
        {"recent": None},
    ],
)
def test_whatever_the_page_shows_makes_another_version(news: dict[str, Any]) -> None:
    shown: dict[str, Any] = {"games": (view_of(),), "recent": (ONE,)}
    assert picture(**(shown | news)).version != picture(**shown).version


def test_clocks_and_what_stands_below_the_latest_game_make_none() -> None:
    ticking = view_of(white=Side("BOT me", 2000, 64_000, True))
    before = picture(games=(view_of(),), recent=(ONE, OTHER), stream_age_s=1.0)
    assert picture(games=(ticking,), recent=(ONE,), stream_age_s=2.0, taken_s=7.0).version == before.version


def test_a_bot_has_started_once_its_stream_was_opened() -> None:
    assert not picture(stream_openings=0).started
    assert picture(stream_openings=1).started


def snapshot_of(**fields: Any) -> Snapshot:
    """A dispatcher that plays two games and has challenged somebody."""
    uses = (SlotUse.PLAYING, SlotUse.PLAYING, SlotUse.OUTGOING)
    rated = SimpleNamespace(
        challenger=SimpleNamespace(label="BOT Carl"), time_control="3+2", variant="standard", rated=True
    )
    casual = SimpleNamespace(
        challenger=SimpleNamespace(label="Dora"), time_control="1 day", variant="atomic", rated=False
    )
    plain = {"records": [SimpleNamespace(use=use) for use in uses], "waiting": (rated, casual), "free_slots": 3}
    plain |= {"loops": (), "challenge_outcomes": {"accepted": 4}, "stream_age_s": 5.0, "stream_openings": 6}
    plain |= {"connected": True, "token_rejected": False, "token_used_twice": False, "unreachable": False}
    return cast("Snapshot", SimpleNamespace(**(plain | fields)))


ENGINE = EntrySnapshot("engine", 1, 0, 0, 0, 0, (2**22 + 1,))


def test_the_picture_of_a_bot_that_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_module, "resident_bytes", {"self": 100, 1: 10, 2: None, 3: 5}.get)
    engines = (replace(ENGINE, pids=(1, 2)), replace(ENGINE, pids=(3,)))
    seen = observer(snapshot=snapshot_of, engines=lambda: engines, account=lambda: "me").look()
    assert dict(seen.uses) == {"playing": 2, "parked": 0, "accepted": 0, "outgoing": 1}
    assert seen.waiting == (Waiting("BOT Carl", "3+2 standard rated"), Waiting("Dora", "1 day atomic casual"))
    assert (seen.free_slots, seen.stream_age_s, seen.stream_openings) == (3, 5.0, 6)
    assert (dict(seen.challenge_outcomes), seen.account) == ({"accepted": 4}, "me")
    assert seen.health == Health((), ready=True)
    assert seen.memory == {"bot": 100, "engines": 15}
    monkeypatch.setattr(picture_module, "resident_bytes", lambda _pid: None)
    assert observer(snapshot=snapshot_of, engines=lambda: engines).look().memory == {}, "where there is no /proc"


@pytest.mark.parametrize(
    ("fields", "sources", "reasons", "ready"),
    [
        ({"connected": False}, {}, (), False),
        ({}, {"ending": lambda: True}, (), False),
        ({"token_rejected": True}, {}, ("Lichess rejects the token",), False),
        ({"token_used_twice": True}, {}, ("another program uses the same token",), False),
        ({"stream_age_s": None}, {}, ("the event stream has not been opened yet",), False),
        ({"stream_age_s": 60.0}, {}, ("the event stream is silent",), False),
        ({"stream_age_s": 2.0, "unreachable": True}, {}, ("the server does not answer",), False),
        ({}, {"engines": tuple}, ("no engine answers",), False),
    ],
)
def test_the_health_is_judged_by_what_is_seen(
    fields: dict[str, Any], sources: dict[str, Any], reasons: tuple[str, ...], ready: bool
) -> None:
    functions = {"snapshot": lambda: snapshot_of(**fields), "engines": lambda: (ENGINE,)} | sources
    assert observer(**functions).look().health == Health(reasons, ready=ready)


def test_the_results_are_ours_since_midnight_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    midnight_s = 10 * 86_400.0
    monkeypatch.setattr(time, "time", lambda: midnight_s + 12_345.6)
    outcomes = [Outcome.LOSS, Outcome.WIN, None, Outcome.DRAW, Outcome.WIN]
    games = [
        record(f"game{number}", outcome=outcome, ended_s=midnight_s + number) for number, outcome in enumerate(outcomes)
    ]
    assert observer(played=lambda _since_s: games).look().results_by_word == {"won": 2, "drawn": 1, "lost": 0}
    assert observer().look().results_by_word == {"won": 0, "drawn": 0, "lost": 0}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux")
def test_our_own_memory_is_plausible() -> None:
    own = resident_bytes("self")
    assert own is not None
    assert 5_000_000 < own < 10_000_000_000
    assert resident_bytes(os.getpid()) == pytest.approx(own, rel=0.2)


def test_a_process_that_is_gone_has_none() -> None:
    assert resident_bytes(2**22 + 1) is None
