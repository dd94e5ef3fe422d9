"""Dashboard, notifications, control: the sections about the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.settings import DashboardSettings, load_settings, parse_settings


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


@pytest.mark.parametrize(
    ("environ", "enabled"),
    [
        ({"BOT88__DASHBOARD__PORT": "9000"}, True),
        ({"BOT88__DASHBOARD__HOST": "0.0.0.0"}, False),
        ({"BOT88__DASHBOARD__PORT": "9000", "BOT88__DASHBOARD__ENABLED": "false"}, False),
        ({}, False),
    ],
)
def test_a_port_from_the_environment_switches_it_on_beside_the_shipped_file(
    environ: dict[str, str], enabled: bool
) -> None:
    shipped = Path(__file__).parents[3] / "config" / "bot88.yml"
    assert load_settings(shipped, environ).dashboard.enabled is enabled


def test_it_listens_on_loopback_alone_unless_told_otherwise() -> None:
    assert (dashboard("{enabled: true}").host, dashboard("{enabled: true}").port) == ("127.0.0.1", 8088)


@pytest.mark.parametrize("line", ["{port: 65536}", "{port: -1}", '{port: "80"}', '{host: ""}', "{prot: 80}"])
def test_a_wrong_value_names_the_line(line: str) -> None:
    with pytest.raises(ConfigurationError, match=r"f\.yml.*dashboard\.(port|host|prot)"):
        dashboard(line)


def password_in(folder: Path, line: str, content: str | None = None, **environ: str) -> str | None:
    """The password of a configuration beside a file `secret` with this content."""
    if content is not None:
        (folder / "secret").write_text(content, encoding="utf-8")
    file = folder / "bot.yml"
    file.write_text(f"dashboard: {line}\n", encoding="utf-8")
    found = load_settings(file, environ).dashboard.password
    return None if found is None else found.get_secret_value()


def test_the_password_comes_from_the_key_the_environment_or_a_file(tmp_path: Path) -> None:
    assert password_in(tmp_path, "{}") is None
    assert password_in(tmp_path, "{password: from the key}") == "from the key"
    assert password_in(tmp_path, "{}", BOT88__DASHBOARD__PASSWORD="environment") == "environment"
    assert password_in(tmp_path, "{}", BOT88__DASHBOARD__PASSWORD="'8127648127'") == "8127648127"
    assert password_in(tmp_path, "{password_file: secret}", "from the file\n") == "from the file"
    assert password_in(tmp_path, "{password_file: secret, password: from the key}") == "from the key"
    assert password_in(tmp_path, "{}", BOT88__DASHBOARD__PASSWORD_FILE="secret") == "from the file"


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("{password: xy_kept}", None),
        ("{password: [xy_kept_secret]}", None),
        ("{password: 8127648127}", None),
        ("{password_file: secret}", "xy_kept"),
        ("{password_file: secret}", " \n"),
        ("{password_file: missing}", None),
    ],
)
def test_a_password_that_is_none_is_refused_without_showing_it(tmp_path: Path, line: str, content: str | None) -> None:
    with pytest.raises(ConfigurationError, match=r"dashboard\.password") as refused:
        password_in(tmp_path, line, content)
    assert "xy_kept" not in str(refused.value)
    assert "8127648127" not in str(refused.value)


def test_the_password_is_in_no_text_of_the_settings() -> None:
    settings = parse_settings("dashboard: {password: well hidden}", "f.yml")
    assert "well hidden" not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"


def test_digits_without_quotes_are_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"BOT88__DASHBOARD__PASSWORD.*in quotes"):
        password_in(tmp_path, "{}", BOT88__DASHBOARD__PASSWORD="8127648127")


@pytest.mark.parametrize("address", ["https://ntfy.example/bot", "http://127.0.0.1:8080/x?y=z", "http://[::1]:0"])
def test_an_address_is_taken_and_kept_secret(address: str) -> None:
    notify = parse_settings(f"notify: {{webhook: '{address}'}}", "bot.yml").notify
    assert notify.webhook is not None
    assert notify.webhook.get_secret_value() == address
    assert address not in str(notify)


def test_without_an_address_nobody_is_told() -> None:
    assert parse_settings("notify: {}", "bot.yml").notify.webhook is None
    assert parse_settings("notify: {webhook: null}", "bot.yml").notify.webhook is None


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("ntfy.example/bot", "must be an address that begins with http:// or https://"),
        ("ftp://ntfy.example", "must be an address that begins with http:// or https://"),
        ("https://ntfy.example/a b", "without blanks"),
        ("https://ntfy.exämple", "without blanks"),
        ("https:///bot", "must name a host"),
        ("http://[x", "must name a host"),
        ("http://:80/bot", "must name a host"),
        ("http://host:http/bot", "and a port from 0 to 65535"),
        ("http://host:70000/bot", "and a port from 0 to 65535"),
    ],
)
def test_what_is_no_address_is_refused(address: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as refused:
        parse_settings(f"notify: {{webhook: '{address}'}}", "bot.yml")
    assert "notify.webhook" in str(refused.value)


def test_a_bot_can_be_told_what_to_do_unless_it_is_switched_off() -> None:
    control = parse_settings("{}", "f.yml").control
    assert (control.enabled, control.socket) == (True, None)
    assert not parse_settings("control: {enabled: false}", "f.yml").control.enabled
