"""`bot88 replay`, as typed."""

from __future__ import annotations

import pydoc
import sys
from pathlib import Path

import pytest

from bot.archive.replay_view import replay_text
from bot.archive.store import Store
from tests.bot.archive.test_pgn import fools_mate
from tests.bot.commands.test_cli import call

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store with one game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOT88_CONFIG", raising=False)
    monkeypatch.setenv("BOT88__STORE", str(tmp_path / "games.sqlite3"))
    store, game = Store(tmp_path / "games.sqlite3"), fools_mate().record
    store.record_game(game)
    store.close()


@pytest.mark.parametrize(
    ("terminal", "more_lines", "paged"), [(True, 1, False), (True, 0, True), (True, -1, True), (False, -1, False)]
)
def test_a_game_that_does_not_fit_the_terminal_goes_through_a_pager(
    terminal: bool, more_lines: int, paged: bool, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The prompt that follows needs one more line. Output that is not a terminal is not paged."""
    text = replay_text(fools_mate())
    through_pager: list[str] = []
    monkeypatch.setattr(pydoc, "pager", through_pager.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setenv("LINES", str(text.count("\n") + more_lines))
    assert call(monkeypatch, "replay", "last") == 0
    assert (through_pager, capsys.readouterr().out) == (([text], "") if paged else ([], text))
