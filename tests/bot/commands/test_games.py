"""`bot88 games`, `stats` and `review`, as typed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.archive import plots
from bot.archive.game_record import GameRecord
from bot.archive.listing import games_table, select
from bot.archive.review import command
from bot.archive.review.summary import summary_text
from bot.archive.review.values import GameReview
from bot.commands.options import load_configuration
from bot.service.signals import Stopped
from tests.bot.commands.test_cli import call
from tests.helpers.finished_games import blitz, bot_in

Capture = pytest.CaptureFixture[str]
#: Files that the service alone may read: nobody who looks at games needs what is in them.
SECRETS = "lichess: {token_file: no-such-file}\ndashboard: {password_file: no-such-file}\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store with one game, and a configuration whose secrets cannot be read."""
    game = blitz("abcdefgh", opponent="a" * 25, pgn='[Event "one"]\n\n1. e4 1-0\n')
    bot_in(tmp_path, monkeypatch, game, more=SECRETS)


def kept() -> list[GameRecord]:
    """The games of the store."""
    return select(load_configuration(Path("my.yml"), with_secrets=False), "", "", with_pgn=True)


@pytest.fixture
def reviewed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is asked for when games are to be reviewed; no engine looks at them."""
    asked: list[Any] = []

    def review(games: list[GameRecord], options: object, _stopped: object, *_rest: object) -> list[object]:
        asked.append((games, options))
        return []

    monkeypatch.setattr(command, "review", review)
    return asked


@pytest.mark.parametrize("words", [("games",), ("stats",), ("review",), ("replay", "last", "--pgn")])
def test_no_secret_is_asked_for(
    words: tuple[str, ...], reviewed: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert call(monkeypatch, *words) == 0
    assert capsys.readouterr().err == ""
    assert len(reviewed) == (words == ("review",))


@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_table_is_as_wide_as_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert call(monkeypatch, "games") == 0
    assert capsys.readouterr().out == games_table(kept(), int(columns))
    assert ("…" in games_table(kept(), int(columns))) is (columns == "80")


def test_games_written_as_pgn_and_told_as_json_leave_standard_output_to_the_json(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert call(monkeypatch, "games", "--json", "--pgn", "out.pgn") == 0
    shown = capsys.readouterr()
    assert [game["game_id"] for game in json.loads(shown.out)["games"]] == ["abcdefgh"]
    assert not shown.out.endswith("\n\n")
    assert shown.err == "1 of 1 games are in out.pgn\n"


def test_all_games_are_reviewed_in_the_shell_that_asks_unless_it_says_otherwise(
    reviewed: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert call(monkeypatch, "review") == 0
    assert capsys.readouterr().out == summary_text([])
    ((games, options),) = reviewed
    assert games == kept()
    assert (options.jobs, options.scheduler, options.folder.name) == (1, "", "review")


@pytest.mark.parametrize("found", [0, 1])
def test_without_a_reviewed_game_no_chart_is_drawn(found: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, Path]] = []
    reviews = [GameReview("abcdefgh", "judge", "Judge", 10, ())] * found
    monkeypatch.setattr(plots, "new_figure", lambda _path: None)
    monkeypatch.setattr(plots, "draw_reviews", lambda games, path: drawn.append((len(games), path)))
    monkeypatch.setattr(command, "review", lambda *_arguments: reviews)
    assert call(monkeypatch, "review", "--plot", "chart.svg") == 0
    assert drawn == [(1, Path("chart.svg"))] * found


@pytest.mark.parametrize("amid", [False, True])
def test_a_review_that_a_signal_ends_says_so_by_its_exit_code(
    amid: bool, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """What was found until then is shown; nothing was while the engine was compiled."""

    def review(_games: object, _options: object, stopped: Callable[[], bool], *_rest: object) -> list[object]:
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()
        if not amid:
            raise Stopped("a signal came")
        return []

    monkeypatch.setattr(command, "review", review)
    assert call(monkeypatch, "review") == 128 + signal.SIGINT
    assert capsys.readouterr().out == (summary_text([]) if amid else "")
