"""Finished games: the row in the store and the PGN in the folder, each game once."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.account import archive as archive_module
from bot.account.archive import GameArchive, Group
from bot.account.store import Store
from tests.helpers.finished_games import board_after, enter, finished, ids_in
from tests.helpers.processes import wait_until

URL = "https://lichess.test"


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "PAUSES_S", (0.05, 0.1))


def pgn_in(folder: Path) -> str:
    """The one file of the folder."""
    (file,) = folder.glob("*.pgn")
    return file.read_text(encoding="utf-8")


def test_games_are_entered_and_appended(tmp_path: Path) -> None:
    store = Store()
    archive = GameArchive(store, "me", URL, tmp_path / "pgn")
    for game_id in ("aaaaaaaa", "bbbbbbbb"):
        enter(archive, game_id)
    kept = store.games_since(0.0)
    assert [(game.game_id, game.color, game.result, game.plies) for game in kept] == [
        ("aaaaaaaa", "white", "0-1", 4), ("bbbbbbbb", "white", "0-1", 4),
    ]  # fmt: skip
    game = kept[0]
    assert (game.my_rating, game.opponent_rating) == (2000, None)
    assert (game.eco, game.opening) == ("A00", "Barnes Opening: Fool's Mate")
    archive.close()
    assert ids_in(pgn_in(tmp_path / "pgn")) == ["aaaaaaaa", "bbbbbbbb"]


def test_a_game_entered_twice_is_kept_once(tmp_path: Path) -> None:
    store = Store()
    for _ in range(2):
        archive = GameArchive(store, "me", URL, tmp_path)
        enter(archive, "aaaaaaaa")
        enter(archive, "aaaaaaaa")
        archive.close()
    assert len(store.games_since(0.0)) == 1
    assert ids_in(pgn_in(tmp_path)) == ["aaaaaaaa"]


def test_an_aborted_game_without_a_move_is_not_archived(tmp_path: Path) -> None:
    store = Store()
    store.note_begun("aaaaaaaa")
    archive = GameArchive(store, "me", URL, tmp_path)
    for status in ("aborted", "noStart"):
        game = finished("", status, "", id="aaaaaaaa")
        archive.enter(game, game.state, board_after(""))
    archive.close()
    assert store.games_since(0.0) == []
    assert store.unfinished_games() == []
    assert list(tmp_path.glob("*.pgn")) == []


def test_a_disk_that_fails_disturbs_nobody_and_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    store = Store()
    with capture_logs() as logged:
        archive = GameArchive(store, "me", URL, tmp_path / "file")
        enter(archive, "aaaaaaaa")
        assert len(store.games_since(0.0)) == 1
        assert wait_until(lambda: [line for line in logged if line["event"] == "pgn_not_written"])
        assert wait_until(lambda: archive._backoff.failures >= 3)
    assert len([line for line in logged if line["event"] == "pgn_not_written"]) == 1
    (tmp_path / "file").unlink()
    assert wait_until(lambda: (tmp_path / "file").is_dir())
    archive.close()
    assert ids_in(pgn_in(tmp_path / "file")) == ["aaaaaaaa"]


def test_what_an_earlier_run_left_out_is_written_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    archive = GameArchive(store, "me", URL, None)  # killed before the file was written
    enter(archive, "aaaaaaaa")
    enter(archive, "bbbbbbbb")
    archive.close()
    store.close()
    again = Store(path)
    GameArchive(again, "me", URL, tmp_path / "pgn").close()
    assert ids_in(pgn_in(tmp_path / "pgn")) == ["aaaaaaaa", "bbbbbbbb"]
    assert again.games_without_pgn() == []
    again.close()


def test_a_game_kept_before_its_result_was_known_gets_its_pgn_with_the_result(tmp_path: Path) -> None:
    store = Store()
    archive = GameArchive(store, "me", URL, tmp_path)
    game = finished(status="started", winner="", id="aaaaaaaa")
    archive.enter(game, game.state, board_after("f2f3 e7e5 g2g4 d8h4"))
    assert store.games_without_pgn() == []
    enter(archive, "aaaaaaaa")
    archive.close()
    assert [record.status for record in store.games_since(0.0)] == ["mate"]
    assert ids_in(pgn_in(tmp_path)) == ["aaaaaaaa"]


@pytest.mark.parametrize(
    ("group", "files"),
    [
        ("game", ["aaaaaaaa.pgn", "bbbbbbbb.pgn", "cccccccc.pgn"]),
        ("opponent", ["______etc_x.pgn", "anonymous.pgn"]),
        ("all", ["games.pgn"]),
    ],
)
def test_games_share_a_file_as_configured(tmp_path: Path, group: Group, files: list[str]) -> None:
    archive = GameArchive(Store(), "me", URL, tmp_path, group)
    hostile = {"id": "../../etc/x", "name": "X"}
    for game_id, black in (("aaaaaaaa", {"aiLevel": 3}), ("bbbbbbbb", hostile), ("cccccccc", hostile)):
        enter(archive, game_id, black=black)
    archive.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())]
    assert sorted(game_id for text in texts for game_id in ids_in(text)) == ["aaaaaaaa", "bbbbbbbb", "cccccccc"]
