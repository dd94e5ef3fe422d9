"""`bot88 replay` and `bot88 replay-stream`, as typed."""

from __future__ import annotations

import pydoc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.account.store import Store
from bot.app.archive_tools.replay_view import replay_text
from bot.app.recording import replay as replaying
from bot.app.recording.record import Record
from bot.app.recording.replay import Replayed
from bot.settings import Settings
from tests.bot.app.archive_tools.test_played_game import fools_mate
from tests.bot.app.recording.test_replay import INCIDENT
from tests.bot.test_cli import call

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store with one game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOT88_CONFIG", raising=False)
    monkeypatch.setenv("BOT88__STORE", str(tmp_path / "games.sqlite3"))
    store, game = Store(tmp_path / "games.sqlite3"), fools_mate().kept
    store.record_game(game.record, game.pgn)
    store.close()


@pytest.mark.parametrize(
    ("terminal", "more_lines", "paged"), [(True, 1, False), (True, 0, True), (True, -1, True), (False, -1, False)]
)
def test_a_game_that_does_not_fit_the_terminal_goes_through_a_pager(
    terminal: bool, more_lines: int, paged: bool, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """It needs a line more than it has, for the prompt that comes after; what is no terminal gets it whole."""
    text = replay_text(fools_mate())
    through_pager: list[str] = []
    monkeypatch.setattr(pydoc, "pager", through_pager.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setenv("LINES", str(text.count("\n") + more_lines))
    assert call(monkeypatch, "replay", "last") == 0
    assert (through_pager, capsys.readouterr().out) == (([text], "") if paged else ([], text))


def test_a_recorded_game_is_told_line_by_line_with_its_outcome(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert call(monkeypatch, "replay-stream", str(INCIDENT)) == 0
    first, *_lines, last = capsys.readouterr().out.splitlines()
    assert first.split()[0] == "0.000"
    assert last == "outcome: resign, won, 10 plies; every request as recorded"


@pytest.mark.parametrize(("words", "speed"), [((), 0.0), (("--speed", "10"), 10.0)])
def test_a_request_that_differs_is_the_exit_code_1(
    words: tuple[str, ...], speed: float, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    replayed = Replayed("mate", "won", (), ("only now: move/a7a6",))
    asked: list[tuple[str, float]] = []

    def replay(record: Record, _settings: Settings, _tell: Callable[[float, str], None], *, speed: float) -> Replayed:
        asked.append((record.me, speed))
        return replayed

    monkeypatch.setattr(replaying, "replay", replay)
    assert call(monkeypatch, "replay-stream", str(INCIDENT), *words) == 1
    assert asked == [("bot88", speed)]
    assert capsys.readouterr().out == f"{replayed}\n"
