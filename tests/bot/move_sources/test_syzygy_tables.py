"""A damaged Syzygy table is reported once and left out; whole ones are asked."""

from __future__ import annotations

import threading
from pathlib import Path

import chess
import chess.syzygy
import pytest
from structlog.typing import EventDict

from bot.move_sources.request import Choice, MoveRequest
from bot.move_sources.tablebases import SyzygySource, SyzygyTables
from bot.settings import SyzygySettings
from tests.helpers.shared import shared_data

QUEEN = chess.Board("8/8/8/8/8/4k3/8/4K2Q w - - 0 1")
PAWN = chess.Board("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")
WDL_MAGIC, DTZ_MAGIC = b"\x71\xe8\x23\x5d", b"\xd7\x66\x0c\xa5"


def ask(source: SyzygySource, board: chess.Board) -> Choice | None:
    """The source's choice, in a thread that is left behind where it hangs."""
    answers: list[Choice | None] = []
    thread = threading.Thread(target=lambda: answers.append(source.choose(MoveRequest(board), 1.0)), daemon=True)
    thread.start()
    thread.join(20)
    assert answers, "it hangs"
    return answers[0]


@pytest.mark.parametrize(
    "data",
    [
        WDL_MAGIC + bytes(200),  # no piece at all: python-chess would look for it on the board forever
        WDL_MAGIC + b"\x01\x00\x11\x66\xee" + bytes(200),  # a pawn where the queen should be
        b"",
        WDL_MAGIC,
        b"something else" * 20,
    ],
)
def test_a_damaged_table_is_told_once_and_left_out(tmp_path: Path, data: bytes, logs: list[EventDict]) -> None:
    path = tmp_path / "KQvK.rtbw"
    path.write_bytes(data)
    source = SyzygySource(SyzygySettings(paths=(tmp_path,)))
    assert ask(source, QUEEN) is None
    assert ask(source, QUEEN) is None
    source.close()
    assert [(line["event"], line["path"]) for line in logs] == [("syzygy_table_damaged", str(path))]


@pytest.mark.parametrize(("name", "board"), [("KQvK", QUEEN), ("KPvK", PAWN)])
@pytest.mark.parametrize("suffix", ["rtbw", "rtbz"])
def test_a_table_under_another_ones_name_is_left_out(
    tmp_path: Path, name: str, board: chess.Board, suffix: str, logs: list[EventDict]
) -> None:
    """Its header names pieces that are not on the board."""
    folder = shared_data("syzygy3-4")
    other = {"KQvK": "KRvK", "KPvK": "KRvK"}[name]
    for ending in ("rtbw", "rtbz"):
        (tmp_path / f"{name}.{ending}").write_bytes(
            (folder / f"{other if ending == suffix else name}.{ending}").read_bytes()
        )
    source = SyzygySource(SyzygySettings(paths=(tmp_path,)))
    assert ask(source, board) is None
    source.close()
    assert [(line["event"], line["path"]) for line in logs] == [
        ("syzygy_table_damaged", str(tmp_path / f"{name}.{suffix}"))
    ]


def test_a_draw_is_held_without_dtz_files(tmp_path: Path) -> None:
    (tmp_path / "KPvK.rtbw").write_bytes((shared_data("syzygy3-4") / "KPvK.rtbw").read_bytes())
    source = SyzygySource(SyzygySettings(paths=(tmp_path,)))
    choice = ask(source, chess.Board("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))
    source.close()
    assert choice is not None
    assert choice.wdl == 0


def test_every_whole_table_passes(logs: list[EventDict]) -> None:
    tables = SyzygyTables()
    found = tables.add_directory(str(shared_data("syzygy3-4")))
    everything = {*tables.wdl, *tables.dtz}
    for key in sorted(everything):
        board = a_position(key)
        tables.probe_wdl(board)
        tables.probe_dtz(board)
    tables.close()
    assert found >= 70
    assert logs == []


def a_position(key: str) -> chess.Board:
    """A legal position with the pieces of a table, White to move."""
    white, black = key.split("v")
    board = chess.Board.empty()
    for square, name in zip((chess.A1, chess.B3, chess.D3, chess.F3), white, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(name))
    for square, name in zip((chess.H8, chess.G6, chess.E6), black, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(name.lower()))
    return board if board.is_valid() else a_valid_one(board)


def a_valid_one(board: chess.Board) -> chess.Board:
    """The same with the black king where nothing attacks it."""
    board.remove_piece_at(chess.H8)
    for square in chess.SQUARES:
        if board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
            if board.is_valid():
                return board
            board.remove_piece_at(square)
    raise AssertionError(board.fen())
