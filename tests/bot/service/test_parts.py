"""Parts of the service, made from the settings."""

from __future__ import annotations

from typing import Any

import pytest

from bot.archive.store import Store
from bot.dashboard.log_tail import LogTail
from bot.engine_pool import EnginePool
from bot.errors import StartUpError
from bot.log import flush_log, get_logger
from bot.service import parts
from bot.service.parts import gateway_of, start_engines, start_log
from bot.service.signals import ExitCode, StopSignals
from bot.settings import Settings, parse_settings
from tests.helpers.engines import tiny_entry


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
    store = Store(None)
    gateway_of(Settings.model_validate({"concurrency": 20, "lichess": {"stream_silence_s": 33.0}}), store)
    assert made[0]["connections"] > 20 + 8
    assert made[0]["stream_silence_s"] == 33.0
    store.close()


def test_engines_that_do_not_start_are_told_with_the_remedy_and_the_code() -> None:
    pool = EnginePool([tiny_entry("no-start")])
    with pytest.raises(StartUpError, match="no engine runs") as failed:
        start_engines(pool, StopSignals())
    pool.close()
    assert failed.value.exit_code == ExitCode.ENGINE
    assert "engines:" in failed.value.remedy
