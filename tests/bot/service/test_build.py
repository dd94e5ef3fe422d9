"""Parts of the service as the settings ask for them."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from bot.archive.store import Store
from bot.dashboard import Observer
from bot.dashboard.app import STATIC
from bot.dashboard.log_tail import LogTail
from bot.engine_pool.pool import EnginePool
from bot.errors import StartUpError
from bot.fake_lichess import FakeLichess
from bot.log import flush_log, get_logger
from bot.service import build as parts
from bot.service.build import arenas_of, gateway_of, start_engines, start_log
from bot.service.service import Service
from bot.service.signals import ExitCode, StopSignals
from bot.service.startup_checks import ARENAS, TEAMS, ScopedFeature
from bot.settings import Settings, TournamentSettings, parse_settings
from tests.bot.service.test_service import settings_for
from tests.helpers.ending import closed_at_end
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake
from tests.helpers.processes import wait_until


@pytest.mark.parametrize(
    ("dashboard", "heard"),
    [("{port: 8099}", ["game_begins", "stream_broken"]), ("{enabled: false}", ["stream_broken"])],
)
def test_the_dashboard_hears_of_games_whatever_the_console_shows(
    dashboard: str, heard: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    start_log(parse_settings(f"log: {{level: warning}}\ndashboard: {dashboard}", "mine.yml"))
    tail = LogTail()
    tail.install()
    log = get_logger("bot.play.game_log_of_this_test")
    log.info("game_begins", game_id="abcdefgh")
    log.warning("stream_broken")
    flush_log()
    tail.remove()
    assert [line.event for line in tail.lines() if line.event in ("game_begins", "stream_broken")] == heard
    shown = capsys.readouterr().err
    assert "stream_broken" in shown
    assert "abcdefgh" not in shown


def test_the_gateway_has_a_connection_for_each_game_and_more_and_keeps_its_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[dict[str, Any]] = []
    monkeypatch.setattr(parts, "Gateway", lambda *_args, **how: made.append(how))
    store = closed_at_end(Store(None))
    gateway_of(Settings.model_validate({"concurrency": 20, "lichess": {"stream_silence_s": 33.0}}), store)
    assert made[0]["connections"] > 20 + 8
    assert made[0]["stream_silence_s"] == 33.0


def test_engines_that_do_not_start_are_told_with_the_remedy_and_the_code() -> None:
    pool = EnginePool([tiny_entry("no-start")])
    with pytest.raises(StartUpError, match="no engine runs") as failed:
        start_engines(pool, StopSignals())
    pool.close()
    assert failed.value.exit_code == ExitCode.ENGINE
    assert "engines:" in failed.value.remedy


ALL = TournamentSettings.model_validate({"arenas": [{"id": "AbCd1234"}], "teams": [{"id": "ours"}]})


@pytest.mark.parametrize(
    ("missing", "arenas", "teams"), [([], 1, 1), ([ARENAS], 0, 1), ([TEAMS], 1, 0), ([ARENAS, TEAMS], 0, 0)]
)
def test_only_what_is_allowed_is_done(
    missing: list[ScopedFeature], arenas: int, teams: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "missing_scopes", lambda *_asked: missing)
    monkeypatch.setattr(parts, "ArenaWorker", lambda _gateway, allowed, *_others: allowed)
    allowed: Any = arenas_of(MagicMock(), Settings(tournaments=ALL), MagicMock(), MagicMock())
    assert (len(allowed.arenas), len(allowed.teams)) == (arenas, teams)


__all__ = ["fake"]

#: What a metric measures, as the last word of its name; counters end in "total" besides.
UNITS = {"rating", "seconds", "bytes", "games", "slots", "challenges", "reasons", "processes", "plies", "nodes", "info"}
COUNTED = {"moves", "games_finished", "openings", "challenges", "rate_limited", "restarts", "losses_on_time"}


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def started(fake: FakeLichess, stack: ExitStack, **more: Any) -> Service:
    """A bot that plays, with its dashboard on a free port."""
    settings = settings_for(fake, tiny_entry(slots=4), **({"dashboard": {"port": 0}} | more))
    service = Service(settings)
    stack.callback(service.close)
    service.start()
    assert wait_until(lambda: fake.is_online("bot88"))
    return service


def get(service: Service, path: str) -> requests.Response:
    """One request to the dashboard."""
    assert service.dashboard is not None
    return requests.get(service.dashboard.url + path, timeout=20)


def samples(service: Service) -> dict[str, float]:
    """All samples by name and labels."""
    return {
        sample.name + "".join(f",{value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(get(service, "/metrics").text)
        for sample in family.samples
    }


def test_a_running_game_is_shown(fake: FakeLichess, stack: ExitStack, tmp_path: Path) -> None:
    service = started(fake, stack)
    game_id = fake.start_game("Alice", "bot88", clock=(600, 0))
    fake.player("Alice", game_id).move("e2e4")
    assert wait_until(
        lambda: "<chess-board" in get(service, "/").text and get(service, "/state").json()["games"][0]["ply"] > 1
    )
    (game,) = get(service, "/state").json()["games"]
    assert (game["game_id"], game["our_color"], game["white"]["name"]) == (game_id, "black", "Alice")
    assert 590_000 < game["white"]["clock_ms"] <= 600_000
    assert game["last_move"].startswith("1... ")
    assert (game["san"][0], len(game["san"])) == ("e4", game["ply"])
    assert [ply for ply, _score in game["scores"]] == [2]
    assert game["search"]["depth"] >= 1
    page = get(service, "/").text
    assert "Alice" in page
    assert game["last_move"] in page
    assert '<svg class="evaluation"' in page
    assert f"depth {game['search']['depth']}" in page
    assert f'fen="{game["position"]["fen"]}"' in page
    assert get(service, "/board/view.js").status_code == get(service, "/board/theme/blue.svg").status_code == 200


def test_nothing_comes_from_outside(fake: FakeLichess, stack: ExitStack) -> None:
    service = started(fake, stack)
    statics = [f"/static/{path.name}" for path in STATIC.iterdir()]
    assert len(statics) >= 4
    for path in ("/", *statics, "/icon.svg"):
        answer = get(service, path)
        assert answer.status_code == 200
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        outside = [
            url for url in re.findall(r"(?:https?:)?//[\w.][^\s\"'<]*", answer.text) if not url.startswith(fake.url)
        ]
        assert [url for url in outside if not url.startswith(("http://www.w3.org/", "// "))] == []
    assert "<style" not in get(service, "/").text
    assert re.search(r"<script(?! src=\"/(?:static|board)/)|style=", get(service, "/").text) is None
    assert get(service, "/static/..%2fapp.py").status_code == 404


@pytest.mark.slow
def test_metrics_count_a_whole_game(fake: FakeLichess, stack: ExitStack) -> None:
    service = started(fake, stack)
    assert samples(service)["bot88_moves_total"] == 0
    report = fake.wait_for_end(fake.challenge("Random", "bot88", clock=(60, 0), color="black"), 240)
    ours = (len(report.moves) + 1) // 2
    result = "drawn" if not report.winner else "won" if report.winner == "white" else "lost"
    assert wait_until(lambda: samples(service)[f"bot88_games_finished_total,{result}"] == 1)
    assert wait_until(lambda: samples(service)["bot88_challenges_total,accepted"] == 1)  # looked at once a second
    assert wait_until(lambda: samples(service)["bot88_games,playing"] == 0)  # the slot is freed a moment later
    seen = samples(service)
    assert seen["bot88_moves_total"] == seen["bot88_move_post_seconds_count"] == ours
    assert seen["bot88_think_seconds_count"] == ours
    assert seen["bot88_event_stream_openings_total"] == 1
    assert seen["bot88_unwell_reasons"] == 0
    assert wait_until(lambda: get(service, "/state").json()["recent"], 30)  # read every ten seconds
    assert get(service, "/state").json()["recent"][0]["plies"] == len(report.moves)
    for page in ("/", "/games"):
        assert f"/game/{report.id}" in get(service, page).text


def test_names_begin_with_the_program_and_end_in_their_unit(fake: FakeLichess, stack: ExitStack) -> None:
    families = list(text_string_to_metric_families(get(started(fake, stack), "/metrics").text))
    assert len(families) > 15
    for family in families:
        if family.name.startswith("process_"):  # the usual names
            continue
        assert family.name.startswith("bot88_")
        assert family.documentation.endswith(".")
        if family.type == "counter":
            assert family.name.endswith(tuple(COUNTED)), family.name
            assert all(sample.name == f"{family.name}_total" for sample in family.samples)
        else:
            assert family.name.rsplit("_", 1)[-1] in UNITS, family.name


def test_health_turns_red_when_the_server_is_away_and_green_again(fake: FakeLichess, stack: ExitStack) -> None:
    service = started(fake, stack)
    assert wait_until(lambda: get(service, "/readyz").status_code == 200)
    healthy = get(service, "/healthz")
    assert (healthy.status_code, healthy.json()["well"]) == (200, True)
    assert healthy.json()["engine_processes"] >= 1
    fake.restart(down_s=4.0)
    red = get(service, "/healthz")
    assert (red.status_code, red.json()["reasons"]) == (503, ["the server does not answer"])
    assert get(service, "/readyz").status_code == 503
    assert samples(service)["bot88_unwell_reasons"] == 1
    assert "the server does not answer" in get(service, "/").text
    assert wait_until(lambda: get(service, "/healthz").status_code == 200, 40)
    assert samples(service)["bot88_event_stream_openings_total"] >= 2


def test_the_event_stream_tells_of_a_change(fake: FakeLichess, stack: ExitStack) -> None:
    service = started(fake, stack)
    assert service.dashboard is not None
    with requests.get(service.dashboard.url + "/events", stream=True, timeout=30) as answer:
        lines = (line for line in answer.iter_lines() if line.startswith(b"event"))
        assert next(lines) == b"event: change"
        fake.challenge("Random", "bot88", clock=(60, 0))
        assert next(lines) == b"event: change"
        service.close()  # ends although somebody still listens


def test_a_port_that_is_taken_is_one_line_and_the_bot_plays_on(fake: FakeLichess, stack: ExitStack) -> None:
    taken = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    with capture_logs() as lines:
        started(fake, stack, dashboard={"port": taken.getsockname()[1]})
    (line,) = [line for line in lines if line["event"] == "dashboard_not_served"]
    assert line["address"] == f"127.0.0.1:{taken.getsockname()[1]}"
    assert "dashboard.port" in line["remedy"]
    report = fake.wait_for_end(fake.challenge("Random", "bot88", clock=(30, 0)), 240)
    assert report.over


def test_no_dashboard_unless_it_is_asked_for(fake: FakeLichess, stack: ExitStack) -> None:
    assert started(fake, stack, dashboard={}).dashboard is None


def test_what_the_dashboard_sees_of_a_bot_before_and_at_its_end() -> None:
    service = closed_at_end(Service(Settings.model_validate({"lichess": {"token": "lip_secret"}})))
    seen = service._seen()
    assert (seen.account(), seen.snapshot(), seen.ending(), seen.paused()) == (None, None, False, False)
    assert seen.secrets == ("lip_secret", "")
    service.admission.pause()
    service.signals.ask()
    assert (seen.ending(), seen.paused()) == (True, True)
    assert Observer(seen).look().health.reasons == ("it is starting",)
