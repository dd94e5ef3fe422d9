"""Appending to a PGN file: whole or not at all, never twice, also after a kill at any byte."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from bot.archive import pgn_file
from bot.archive.pgn import pgn_of
from bot.archive.pgn_file import append_game
from tests.helpers.finished_games import FOOLS_MATE, board_after, finished, games_in, ids_in

URL = "https://lichess.test"


def pgn(game_id: str) -> str:
    game = finished(id=game_id)
    return pgn_of(game, game.state, board_after(FOOLS_MATE), URL)


def append(path: Path, game_id: str) -> None:
    append_game(path, pgn(game_id))


def test_games_follow_each_other(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "deeper" / "2026-11.pgn"
    for game_id in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
        append(path, game_id)
    assert ids_in(path.read_text(encoding="utf-8")) == ["aaaaaaaa", "bbbbbbbb", "cccccccc"]


def test_a_game_is_in_the_file_once(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    for game_id in ("aaaaaaaa", "bbbbbbbb", "aaaaaaaa", "bbbbbbbb"):
        append(path, game_id)
    assert ids_in(path.read_text(encoding="utf-8")) == ["aaaaaaaa", "bbbbbbbb"]


def test_a_game_cut_off_at_any_byte_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    append(path, "aaaaaaaa")
    before = path.read_bytes()
    append(path, "bbbbbbbb")
    whole = path.read_bytes()
    for length in range(len(before), len(whole) + 1):
        path.write_bytes(whole[:length])
        append(path, "bbbbbbbb")
        assert path.read_bytes() == whole, f"cut after {length} bytes"


def test_a_torn_game_of_somebody_else_swallows_nothing(tmp_path: Path) -> None:
    whole = (pgn("aaaaaaaa") + "\n\n").encode()
    path = tmp_path / "games.pgn"
    for length in range(1, len(whole)):
        path.write_bytes(whole[:length])
        append(path, "bbbbbbbb")
        text = path.read_text(encoding="utf-8")
        assert text.endswith(pgn("bbbbbbbb") + "\n\n")
        assert text.count('[Site "https://lichess.test/bbbbbbbb"]') == 1
        assert ids_in("[Event" + text.rpartition("[Event")[2]) == ["bbbbbbbb"]
        assert games_in(text)[-1].headers["Site"].endswith("bbbbbbbb"), f"cut after {length} bytes"


@pytest.mark.parametrize("size", [1, 2, 7, 64, 1 << 20])
def test_a_game_is_found_wherever_the_pieces_of_the_file_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(pgn_file, "_CHUNK", size)
    path = tmp_path / "games.pgn"
    for game_id in ("aaaaaaaa", "bbbbbbbb"):
        append(path, game_id)
    whole = path.read_bytes()
    for game_id in ("aaaaaaaa", "bbbbbbbb"):
        append(path, game_id)
    assert path.read_bytes() == whole


def test_a_line_that_only_contains_the_tag_is_another_game(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f'; [Site "{URL}/aaaaaaaa"]\n[Site "{URL}/aaaaaaaa"] and more\n\n')
    append(path, "aaaaaaaa")
    assert path.read_text(encoding="utf-8").endswith(pgn("aaaaaaaa") + "\n\n")


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_games_are_parted_by_a_blank_line_however_the_file_ended(tmp_path: Path, end: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(pgn("aaaaaaaa") + end, encoding="utf-8")
    append(path, "bbbbbbbb")
    text = path.read_text(encoding="utf-8")
    assert ids_in(text) == ["aaaaaaaa", "bbbbbbbb"]
    assert text.endswith("\n\n" + pgn("bbbbbbbb") + "\n\n")


@pytest.mark.parametrize("written", [0, 1, 50, 200])
def test_a_disk_that_fills_up_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    path = tmp_path / "games.pgn"
    append(path, "aaaaaaaa")
    before = path.read_bytes()
    real_write, room = os.write, [written]

    def write(fd: int, data: memoryview) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = real_write(fd, data[: room[0]])
        room[0] -= done
        return done

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="No space"):
        append(path, "bbbbbbbb")
    monkeypatch.undo()
    assert path.read_bytes() == before
    append(path, "bbbbbbbb")
    assert ids_in(path.read_text(encoding="utf-8")) == ["aaaaaaaa", "bbbbbbbb"]
