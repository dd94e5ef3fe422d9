"""Opening files: plain, zipped, and files that are none."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from engine88.rules.fen import START_FEN
from engine88.training.weights_tuner.openings import read_openings

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
