"""Opening files: plain, zipped, and files that are none."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from engine88.rules.fen import START_FEN
from engine88.training.selfplay.books import Book, read_books, read_openings

LINES = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n\n"
LINES += "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4\n"


def test_plain_and_zipped_files_read_the_same(tmp_path: Path) -> None:
    plain = tmp_path / "book.epd"
    plain.write_text(LINES, encoding="utf-8")
    zipped = tmp_path / "book.epd.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.write(plain, "book.epd")
    assert read_openings(plain) == read_openings(zipped)
    assert read_openings(plain)[0] == START_FEN
    assert len(read_openings(plain)) == 2


def test_a_file_without_positions_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "book.pgn"
    path.write_text('[Event "x"]\n1. e4 e5\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"book\.pgn: no EPD positions"):
        read_openings(path)


def test_a_folder_is_all_its_books_and_what_is_none_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_text(LINES, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no book", encoding="utf-8")
    chess960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n"
    (tmp_path / "frc.epd").write_text(chess960, encoding="utf-8")
    told: list[str] = []
    book = read_books([tmp_path], told.append)
    assert len(book.fens) == 2
    assert list(book.files) == ["a.epd"]
    assert "frc.epd: no EPD positions of standard chess" in told[0]
    with pytest.raises(ValueError, match="castling as in Chess960"):
        read_books([tmp_path / "frc.epd"], told.append)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no \.epd or \.epd\.zip file in this folder"):
        read_books([tmp_path / "empty"], told.append)


def test_the_position_of_a_game_depends_on_run_and_number_alone(tmp_path: Path) -> None:
    fens = tuple(f"4k3/8/8/8/8/8/8/R3K3 w - - {clock} 40" for clock in range(6))
    book = Book(fens, {})
    picked = [book.pick("run", number, 0.5) for number in range(400)]
    assert picked == [book.pick("run", number, 0.5) for number in range(400)]
    assert picked != [book.pick("other", number, 0.5) for number in range(400)]
    assert 150 < picked.count(None) < 250
    assert {*picked} == {None, *fens}
    assert Book((), {}).pick("run", 1, 1.0) is None


def test_a_later_position_of_chess960_is_named() -> None:
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    with pytest.raises(ValueError, match=r"bbqnnrkr.* has castling as in Chess960"):
        Book((fen,), {}).pick("run", 1, 1.0)
