"""The settings for the built-in server."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.offline.options import OfflineOptions, offline_settings


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
