"""The look for tokens after each test of tests/integration finds them wherever they are."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.helpers.token_scan import tokens_told


def test_tokens_are_found_in_texts_and_in_files_of_any_kind(tmp_path: Path) -> None:
    (tmp_path / "bot.yml").write_text("lichess: {token: lip_allowed}", encoding="utf-8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "games.pgn").write_text("1. e4 {lip_inpgn}", encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "store.sqlite3")) as store, store:
        store.execute("CREATE TABLE notes (value)")
        store.execute("INSERT INTO notes VALUES ('lip_instore')")
    assert tokens_told(tmp_path, [("stderr", "Bearer lip_inoutput, again lip_inoutput"), ("log", "***")]) == [
        "stderr: lip_inoutput",
        "deep/games.pgn: lip_inpgn",
        "store.sqlite3: lip_instore",
    ]
