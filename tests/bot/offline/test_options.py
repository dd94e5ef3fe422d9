"""The settings for the built-in server."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.offline import options
from bot.offline.options import OfflineOptions, offline_settings
from bot.settings import DashboardSettings


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


@pytest.mark.parametrize(("browser", "concurrency"), [(True, 7), (False, 2)])
def test_people_may_start_as_many_games_as_the_configuration_allows(
    tmp_path: Path, browser: bool, concurrency: int
) -> None:
    file = tmp_path / "my.yml"
    file.write_text("concurrency: 7\n", encoding="utf-8")
    options = OfflineOptions(config=file, concurrency=2, browser=browser)
    assert offline_settings(options, "http://127.0.0.1:1", "lip_fake").concurrency == concurrency


def dashboard(tmp_path: Path, text: str, bind: str = "127.0.0.1") -> DashboardSettings:
    file = tmp_path / "my.yml"
    file.write_text(text, encoding="utf-8")
    return offline_settings(OfflineOptions(config=file, bind=bind), "http://127.0.0.1:1", "lip_fake").dashboard


def test_the_dashboard_is_on_at_the_address_of_the_board(tmp_path: Path) -> None:
    found = dashboard(tmp_path, "{}", "0.0.0.0")
    assert (found.enabled, found.host) == (True, "0.0.0.0")
    assert found.port in (8088, 0)


def test_a_taken_port_gives_way_to_a_free_one_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "_is_free", lambda _host, _port: False)
    assert dashboard(tmp_path, "{}").port == 0
    assert dashboard(tmp_path, "dashboard: {port: 9123}").port == 9123


def test_the_configuration_decides_about_the_dashboard(tmp_path: Path) -> None:
    assert not dashboard(tmp_path, "dashboard: {enabled: false}").enabled
    assert dashboard(tmp_path, "dashboard: {host: '::1'}", "0.0.0.0").host == "::1"


def test_the_dashboard_keeps_its_password(tmp_path: Path) -> None:
    found = dashboard(tmp_path, "dashboard: {password: eight or more}").password
    assert found is not None
    assert found.get_secret_value() == "eight or more"


def test_a_port_that_somebody_listens_on_is_not_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not options._is_free("127.0.0.1", port)
    assert options._is_free("127.0.0.1", port)


def test_unless_asked_for_more_it_is_one_game_in_words_without_a_board_to_play_on() -> None:
    plain = OfflineOptions()
    assert (plain.games, plain.concurrency, plain.json, plain.browser) == (1, 1, False, False)
    assert offline_settings(plain, "http://127.0.0.1:1", "lip_fake").concurrency == 1


def test_a_variant_and_a_level_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "bot.yml"
    file.write_text("challenges: {variants: [standard]}\nrules: [{level: hard}]\n")
    plain = offline_settings(OfflineOptions(config=file), "http://x", "lip_x")
    assert (plain.challenges.variants, plain.rules[0].level) == (("standard",), "hard")
    found = offline_settings(OfflineOptions(config=file, variant="chess960", level="easy"), "http://x", "lip_x")
    assert found.challenges.variants == ("standard", "chess960")
    assert [rule.level for rule in found.rules] == [1350, "hard"]
    full = offline_settings(OfflineOptions(config=file, level="full"), "http://x", "lip_x")
    assert full.rules[0].level is None
    for wanted, problem in (
        (OfflineOptions(config=file, variant="atomic"), "--variant atomic: no engine of the configuration plays it"),
        (OfflineOptions(config=file, variant="ches960"), 'did you mean "chess960"'),
        (OfflineOptions(config=file, level="best"), "--level 'best' is not a level: give 100 to 4000"),
    ):
        with pytest.raises(ConfigurationError, match=problem):
            offline_settings(wanted, "http://x", "lip_x")
