"""When the dashboard is served, and where."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import DashboardSettings, parse_settings


def dashboard(line: str) -> DashboardSettings:
    return parse_settings(f"dashboard: {line}", "f.yml").dashboard


@pytest.mark.parametrize(
    ("line", "enabled"),
    [
        ("{}", False),
        ("{enabled: true}", True),
        ("{port: 9000}", True),
        ('{host: "::1"}', True),
        ("{enabled: false, port: 9000}", False),
    ],
)
def test_naming_the_address_switches_it_on(line: str, enabled: bool) -> None:
    assert dashboard(line).enabled is enabled


@pytest.mark.parametrize(("line", "enabled"), [("{}", True), ("{enabled: false}", False), ("{port: 9000}", True)])
def test_an_environment_may_switch_it_on_until_the_file_switches_it_off(
    line: str, enabled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the image."""
    monkeypatch.setenv("BOT88_DASHBOARD_DEFAULT", "on")
    assert dashboard(line).enabled is enabled
    assert DashboardSettings().enabled


def test_it_listens_on_loopback_alone_unless_told_otherwise() -> None:
    assert (dashboard("{enabled: true}").host, dashboard("{enabled: true}").port) == ("127.0.0.1", 8088)


@pytest.mark.parametrize("line", ["{port: 65536}", "{port: -1}", '{port: "80"}', '{host: ""}', "{prot: 80}"])
def test_a_wrong_value_names_the_line(line: str) -> None:
    with pytest.raises(ConfigurationError, match=r"f\.yml.*dashboard\.(port|host|prot)"):
        dashboard(line)
