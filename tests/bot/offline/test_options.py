"""The clock as people write it, and the settings for the built-in server."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.offline.options import OfflineOptions, offline_settings, parse_clock


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1+0", (60.0, 0.0)),
        ("0.5+0", (30.0, 0.0)),
        ("½+0", (30.0, 0.0)),
        ("1/4+1", (15.0, 1.0)),
        ("3+2", (180.0, 2.0)),
        ("5", (300.0, 0.0)),
        (" 0+1 ", (0.0, 1.0)),
        ("0.1+0.1", (6.0, 0.1)),
        ("180+180", (10800.0, 180.0)),
    ],
)
def test_clocks(text: str, seconds: tuple[float, float]) -> None:
    assert parse_clock(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "x", "1+", "+1", "1+x", "-1+0", "0+0", "1+-1", "nan+0", "inf+0", "1/0+0", "181+0", "1+181"]
)
def test_what_is_no_clock(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--clock"):
        parse_clock(text)


def test_settings_are_found_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no ./config is, as after installing a wheel; the environment's token goes to no strange server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOT88_TOKEN", "lip_real")
    settings = offline_settings(OfflineOptions(concurrency=5), "http://127.0.0.1:1", "lip_fake")
    assert (settings.lichess.url, settings.token, settings.concurrency) == ("http://127.0.0.1:1", "lip_fake", 5)
    assert settings.store is None
    assert not settings.conduct.resign.enabled


def test_a_configuration_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "my.yml"
    file.write_text("engines: [{name: x, command: foo}]\nlichess: {url: 'https://lichess.org'}\n", encoding="utf-8")
    settings = offline_settings(OfflineOptions(config=file), "http://127.0.0.1:1", "lip_fake")
    assert settings.engines[0].command == ("foo",)
    assert settings.lichess.url == "http://127.0.0.1:1"
