"""Finished games: the row in the store and the PGN in the folder, each game once."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.archive import game_archive as archive_module
from bot.archive.game_archive import GameArchive, Group
from bot.archive.store import GameRecord, Store
from bot.errors import StoreError
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


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ({"id": "me", "rating": 2000}, {"id": "ann", "rating": 2500}, ("white", "ann", False, 2000, 2500)),
        ({"id": "rob", "title": "BOT"}, {"id": "me", "rating": 2000}, ("black", "rob", True, 2000, None)),
        ({"id": "me"}, {"aiLevel": 3}, ("white", "", False, None, None)),
    ],
)
def test_the_row_knows_which_side_was_ours(
    monkeypatch: pytest.MonkeyPatch, white: dict[str, object], black: dict[str, object], expected: tuple[object, ...]
) -> None:
    monkeypatch.setattr(archive_module, "time", SimpleNamespace(time=lambda: 1234.0))
    store = Store()
    enter(GameArchive(store, "me", URL, None), "aaaaaaaa", white=white, black=black, rated=True)
    (row,) = store.games_since(0.0)
    assert (row.color, row.opponent_id, row.opponent_is_bot, row.my_rating, row.opponent_rating) == expected
    assert (row.variant, row.speed, row.rated, row.status, row.result) == ("standard", "blitz", True, "mate", "0-1")
    assert (row.plies, row.ended_s) == (4, 1234.0)


def test_a_store_that_cannot_be_read_is_named_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, errors = Store(), [StoreError("locked"), StoreError("locked")]
    games_without_pgn = store.games_without_pgn

    def fail_first() -> list[tuple[GameRecord, str]]:
        if errors:
            raise errors.pop()
        return games_without_pgn()

    monkeypatch.setattr(store, "games_without_pgn", fail_first)
    with capture_logs() as logged:
        archive = GameArchive(store, "me", URL, tmp_path)
        enter(archive, "aaaaaaaa")
        assert wait_until(lambda: list(tmp_path.iterdir()))
        archive.close()
    assert ids_in(pgn_in(tmp_path)) == ["aaaaaaaa"]
    assert [(line["event"], line["where"]) for line in logged] == [("pgn_not_written", "the store")]
    assert not archive._loop.running


def test_a_writer_that_does_not_come_to_its_end_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(archive_module, "append_game", lambda *_words: released.wait(60))
    archive = GameArchive(Store(), "me", URL, tmp_path)
    enter(archive, "aaaaaaaa")
    with capture_logs() as logged:
        archive.close(0.01)
    assert [line["event"] for line in logged] == ["pgn_not_written_yet"]
    released.set()
    assert archive._loop.join(30.0)


def test_a_game_that_cannot_be_written_as_pgn_still_has_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_words: object) -> str:
        raise AssertionError("python-chess")

    monkeypatch.setattr(archive_module, "pgn_of", fail)
    store = Store()
    with capture_logs() as logged:
        enter(GameArchive(store, "me", URL, None), "aaaaaaaa")
    assert [game.game_id for game in store.games_since(0.0)] == ["aaaaaaaa"]
    assert store.games_without_pgn() == []
    assert [(line["event"], line["game_id"]) for line in logged] == [("pgn_not_made", "aaaaaaaa")]


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
