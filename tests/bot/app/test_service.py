"""The whole bot from its settings, against the fake, with a tiny engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.account.kept_games import kept_games
from bot.app.archive_tools.played_game import played_game
from bot.app.service import Service
from bot.app.signals import ExitCode
from bot.errors import StartUpError
from bot.fake_lichess import FakeLichess
from bot.play.game_loop import GameLoop
from bot.settings import EngineEntry, Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake
from tests.helpers.processes import is_running, wait_until

__all__ = ["fake"]


def settings_for(fake: FakeLichess, entry: EngineEntry, **more: Any) -> Settings:
    lichess = {"url": fake.url, "token": fake.token("bot88")}
    return Settings.model_validate({"lichess": lichess, "engines": [entry]} | more)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_game_is_played_and_kept(fake: FakeLichess, stack: ExitStack, tmp_path: Path) -> None:
    over: list[GameLoop] = []
    keeping = {"store": tmp_path / "store.sqlite3", "pgn_folder": tmp_path / "pgn"}
    service = Service(settings_for(fake, tiny_entry(), **keeping), on_game_over=over.append)
    stack.callback(service.close)
    service.start()
    game_id = fake.challenge("Random", "bot88", clock=(60, 0))
    report = fake.wait_for_end(game_id, 240)
    assert wait_until(lambda: over)
    pids = [pid for entry in service.pool.snapshot() for pid in entry.pids]
    service.close()
    assert report.status in {"mate", "stalemate", "draw"}
    (kept,) = kept_games(tmp_path / "store.sqlite3")
    record = kept.record
    assert (record.game_id, record.plies, record.opponent_id) == (game_id, len(report.moves), "random")
    assert game_id in next((tmp_path / "pgn").iterdir()).read_text(encoding="utf-8")
    played = played_game(kept)
    assert tiny_entry().name in {move.source for move in played.moves if played.is_ours(move)}
    assert played.moves[-1].clock_ms is not None
    assert wait_until(lambda: not any(map(is_running, pids)))


def test_an_engine_that_does_not_start_is_a_start_up_error(fake: FakeLichess, stack: ExitStack) -> None:
    service = Service(settings_for(fake, tiny_entry("no-start")))
    stack.callback(service.close)
    with pytest.raises(StartUpError, match="no engine runs") as failed:
        service.start()
    assert failed.value.exit_code == ExitCode.ENGINE


def test_closing_twice_or_before_the_start_is_harmless(fake: FakeLichess) -> None:
    service = Service(settings_for(fake, tiny_entry()))
    service.close()
    service.close()
    assert service.dispatcher is None
