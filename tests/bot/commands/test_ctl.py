"""`bot88 ctl`: answers on standard output, refusals on standard error with code 1."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.control.server import ControlServer
from bot.control.wire import Reply
from tests.bot.commands.test_cli import call

SOCKET = "bot.sock"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration and no bot of the user's takes part."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("BOT88_CONFIG", raising=False)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[list[tuple[str, ...]]]:
    """What a bot at SOCKET received; it refuses to quit."""
    words_told: list[tuple[str, ...]] = []

    def handle(words: tuple[str, ...]) -> Reply:
        words_told.append(words)
        return Reply(words[0] != "quit", f"heard {words[0]}")

    server = ControlServer(tmp_path / SOCKET, handle)
    assert server.start()
    yield words_told
    server.close()


def test_the_words_reach_the_bot_options_and_all(
    told: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("my.yml").write_text(f"control: {{socket: {SOCKET}}}\n", encoding="utf-8")
    assert call(monkeypatch, "ctl", "challenge", "Bob", "--clock", "3+2", "-c", "my.yml", "--rated") == 0
    assert told == [("challenge", "Bob", "--clock", "3+2", "--rated")]
    assert capsys.readouterr().out == "heard challenge\n"
    assert call(monkeypatch, "ctl", "--socket", SOCKET, "status", "--json") == 0
    assert told[1] == ("status", "--json")


@pytest.mark.parametrize("secret", ["lichess: {token_file: no-such-file}", "dashboard: {password_file: no-such-file}"])
def test_no_secret_is_asked_for(
    secret: str, told: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be in a file that only the service gets, as systemd's credentials are."""
    content = f"{secret}\ncontrol: {{socket: {SOCKET}}}\n"
    Path("my.yml").write_text(content, encoding="utf-8")
    assert call(monkeypatch, "ctl", "status", "-c", "my.yml") == 0
    assert told == [("status",)]
    assert capsys.readouterr().err == ""


def test_what_the_bot_refuses_is_code_1(
    told: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "ctl", "--socket", SOCKET, "quit") == 1
    assert capsys.readouterr() == ("", "bot88: heard quit\n")
    assert told == [("quit",)]


@pytest.mark.parametrize("words", [(), ("bogus",), ("block",), ("status",)])
def test_a_wrong_command_and_no_bot_are_one_line_and_code_1(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "ctl", *words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bot88: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [("help",), ("--help",)])
def test_help_needs_no_bot(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "ctl", *words) == 0
    assert "quit-after-games" in capsys.readouterr().out
