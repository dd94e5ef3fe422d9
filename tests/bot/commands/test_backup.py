"""`bot88 health` and `bot88 backup`, as typed."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path

import pytest

from bot.archive import backup
from bot.archive.backup import Backup
from bot.archive.store import Store
from bot.commands import health as health_command
from tests.bot.commands.test_cli import call

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOT88_CONFIG", raising=False)


def test_health_ends_with_1_when_nobody_answers(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv("BOT88__DASHBOARD__PORT", str(port))
    assert call(monkeypatch, "health") == 1
    assert f"nothing answers at 127.0.0.1:{port}" in capsys.readouterr().err


def test_health_without_a_dashboard_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert call(monkeypatch, "health") == 0
    assert "not enabled" in capsys.readouterr().out


def test_backup_writes_the_store_of_the_configuration(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    Store(Path("my.sqlite3")).close()
    Path("bot.yml").write_text("store: my.sqlite3\n", encoding="utf-8")
    assert call(monkeypatch, "backup", "copy.zip", "-c", "bot.yml") == 0
    assert capsys.readouterr().out.startswith("copy.zip: 0 games, 0 PGN files, ")
    with zipfile.ZipFile("copy.zip") as archive:
        assert archive.namelist() == ["store.sqlite3"]
    assert call(monkeypatch, "backup", "copy.zip", "-c", "bot.yml") == 2
    assert "exists already" in capsys.readouterr().err


def test_backup_without_a_store_says_so(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert call(monkeypatch, "backup", "copy.zip") == 2
    assert "no `store:` is configured" in capsys.readouterr().err


def test_backup_tells_how_much_it_is(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    Path("bot.yml").write_text("store: my.sqlite3\n", encoding="utf-8")
    monkeypatch.setattr(backup, "back_up", lambda *_paths: Backup(games=7, pgn_files=2, size_bytes=12_340_000))
    assert call(monkeypatch, "backup", "copy.zip", "-c", "bot.yml") == 0
    assert capsys.readouterr().out == "copy.zip: 7 games, 2 PGN files, 12.3 MB\n"


@pytest.mark.parametrize("secret", ["lichess: {token_file: no-such-file}", "dashboard: {password_file: no-such-file}"])
@pytest.mark.parametrize("words", [("health",), ("backup", "copy.zip")])
def test_no_secret_is_asked_for(
    words: tuple[str, ...], secret: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A health check and a nightly backup may run as a user who is not to read them."""
    Store(Path("my.sqlite3")).close()
    Path("bot.yml").write_text(f"store: my.sqlite3\n{secret}\n", encoding="utf-8")
    assert call(monkeypatch, *words, "-c", "bot.yml") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("verdict", "code", "out", "err"),
    [((True, "well"), 0, "well\n", ""), ((False, "unwell: deaf"), 1, "", "unwell: deaf\n")],
)
def test_health_is_told_by_the_exit_code_and_what_is_wrong_on_standard_error(
    verdict: tuple[bool, str], code: int, out: str, err: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(health_command, "ask_health", lambda _dashboard: verdict)
    assert call(monkeypatch, "health") == code
    assert capsys.readouterr() == (out, err)
