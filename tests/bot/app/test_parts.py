"""Parts of the service, made from the settings."""

from __future__ import annotations

import pytest

from bot.app.parts import start_log
from bot.dashboard.log_tail import LogTail
from bot.log import flush_log, get_logger
from bot.settings import parse_settings


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
