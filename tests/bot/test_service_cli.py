"""`bot88 health` and `bot88 backup`, as typed."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path

import pytest

from bot.account.store import Store
from tests.bot.test_cli import call

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
