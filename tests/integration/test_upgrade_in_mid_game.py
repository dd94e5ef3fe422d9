"""A bot is stopped in the middle of a game and a newer version goes on with it, on the store that the old one left."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.archive.store import Store
from bot.archive.store_schema import MIGRATIONS
from bot.fake_lichess import FakeLichess
from bot.service.service import Service
from bot.settings import Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.processes import wait_until

OLD = 2  # the schema of the older version


def settings(fake: FakeLichess, store: Path) -> Settings:
    lichess = {"url": fake.url, "token": fake.token("bot88")}
    return Settings.model_validate({"lichess": lichess, "engines": [tiny_entry(slots=2)], "store": store})


def as_the_older_version_left_it(store: Path) -> None:
    """Turn the store into one of the older schema, with everything that it had a place for."""
    newer = store.rename(store.with_name("newer.sqlite3"))
    with closing(sqlite3.connect(store)) as connection:
        for statement in (statement for migration in MIGRATIONS[:OLD] for statement in migration):
            connection.execute(statement)
        connection.execute("ATTACH ? AS newer", (str(newer),))
        for (table,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
            columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
        connection.commit()
        connection.execute(f"PRAGMA user_version={OLD}")


def test_a_newer_version_goes_on_with_the_game_and_keeps_it(fake: FakeLichess, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    old = Service(settings(fake, store))
    try:
        old.start()
        game_id = fake.challenge("Alice", "bot88", clock=(600, 0), color="white")
        fake.wait_for_game(game_id)
        fake.player("Alice", game_id).move("e2e4")
        fake.wait_for_moves(game_id, 2)
    finally:
        old.close()
    as_the_older_version_left_it(store)

    new = Service(settings(fake, store))
    try:
        new.start()
        fake.player("Alice", game_id).move("d2d4")
        assert len(fake.wait_for_moves(game_id, 4).moves) == 4
        fake.player("Alice", game_id).resign()
        fake.wait_for_end(game_id)
        assert wait_until(lambda: new.store.has_finished_game(game_id))
    finally:
        new.close()

    assert (tmp_path / f"store.sqlite3.schema-{OLD}").is_file()
    kept = Store(store)
    try:
        (game,) = kept.games_since(0.0)
        assert (game.game_id, game.result, game.plies) == (game_id, "0-1", 4)
        assert kept.unfinished_games() == []
    finally:
        kept.close()
