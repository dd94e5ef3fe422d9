"""The end of a game comes late, never, or while the bot is down: the archive still holds its true result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.archive import recorder as game_recorder
from bot.archive.game_record import GameRecord
from bot.archive.store import Store
from bot.events.game import Outcome
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.service.service import Service
from bot.settings import Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.processes import wait_until

StartService = Callable[[], Service]


@pytest.fixture
def start_service(fake: FakeLichess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StartService]:
    """Start the bot on one store and one folder of PGN, again and again."""
    monkeypatch.setattr(game_recorder, "FIRST_LOOK_UP_S", 0.2)
    monkeypatch.setattr(game_recorder, "START_LOOK_UP_S", 0.5)
    content = {
        "lichess": {"url": fake.url, "token": fake.token("bot88")},
        "engines": [tiny_entry()],
        "store": tmp_path / "store.sqlite3",
        "pgn_folder": tmp_path / "pgn",
    }
    with ExitStack() as stack:

        def start() -> Service:
            service = Service(Settings.model_validate(content))
            stack.callback(service.close)
            service.start()
            assert wait_until(lambda: fake.is_online("bot88"))
            return service

        yield start


def kept(tmp_path: Path) -> list[GameRecord]:
    """The rows of the store."""
    return Store(tmp_path / "store.sqlite3").games()


def wait_kept(tmp_path: Path) -> GameRecord:
    """The one row, once it is there."""
    assert wait_until(lambda: kept(tmp_path))
    (record,) = kept(tmp_path)
    return record


def pgn(tmp_path: Path) -> str:
    """All PGN."""
    return "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "pgn").glob("*.pgn"))


def begin_game(fake: FakeLichess) -> str:
    """A game with two plies played; Alice is to move."""
    game_id = fake.challenge("Alice", "bot88", clock=(300, 0), color="white")
    fake.wait_for_game(game_id)
    fake.player("Alice", game_id).move("e2e4")
    fake.wait_for_moves(game_id, 2)
    return game_id


@pytest.mark.slow
def test_the_last_line_never_comes(fake: FakeLichess, start_service: StartService, tmp_path: Path) -> None:
    service = start_service()
    game_id = begin_game(fake)
    dumb = FaultRule(endpoint="game_stream", fault="keepalives_only")
    shut = FaultRule(endpoint="game_stream", fault="status", status=502, at="open")
    fake.set_faults(FaultPlan(rules=(dumb, shut)))
    fake.player("Alice", game_id).resign()
    record = wait_kept(tmp_path)
    assert (record.game_id, record.status, record.outcome) == (game_id, "resign", Outcome.WIN)
    assert service.dispatcher is not None
    assert wait_until(lambda: service.dispatcher is not None and service.dispatcher.slots.free() == 1)
    assert wait_until(lambda: '[Result "0-1"]' in pgn(tmp_path))


def test_the_game_ends_while_the_bot_is_down(fake: FakeLichess, start_service: StartService, tmp_path: Path) -> None:
    service = start_service()
    game_id = begin_game(fake)
    service.close()
    fake.wait_for(lambda: not fake.is_online("bot88"), what="the server to see it gone")
    fake.player("Alice", game_id).resign()
    assert kept(tmp_path) == []
    start_service()
    record = wait_kept(tmp_path)
    assert (record.game_id, record.status, record.outcome, record.plies) == (game_id, "resign", Outcome.WIN, 2)
    assert wait_until(lambda: pgn(tmp_path).count("[Event ") == 1)


def test_the_end_is_seen_and_kept_once(fake: FakeLichess, start_service: StartService, tmp_path: Path) -> None:
    service = start_service()
    game_id = begin_game(fake)
    fake.player("Alice", game_id).resign()
    assert wait_kept(tmp_path).outcome is Outcome.WIN
    service.close()
    start_service().close()
    assert len(kept(tmp_path)) == 1
    assert wait_until(lambda: pgn(tmp_path).count("[Event ") == 1)
    assert fake.requests("export") == []


def test_an_aborted_empty_game_is_not_kept(fake: FakeLichess, start_service: StartService, tmp_path: Path) -> None:
    service = start_service()
    game_id = fake.challenge("Alice", "bot88", clock=(300, 0), color="white")
    fake.wait_for_game(game_id)
    assert wait_until(lambda: fake.open_game_streams(game_id) == 1)
    fake.player("Alice", game_id).abort()
    assert wait_until(lambda: service.dispatcher is not None and service.dispatcher.snapshot().ended == 1)
    service.close()
    assert kept(tmp_path) == []
    assert Store(tmp_path / "store.sqlite3").unfinished_games() == []
