"""Polyglot books: selection, limits, files that are none. The books are written here, entry by entry."""

from __future__ import annotations

import collections
import random
import struct
from pathlib import Path

import chess
import chess.polyglot
import pytest

from bot.errors import ConfigurationError
from bot.move_sources.book import BookSource
from bot.move_sources.request import MoveRequest
from bot.settings import BookSettings, Facts
from tests.helpers.shared import shared_data

START = MoveRequest(chess.Board(), Facts(speed="blitz", color="white"))


def raw_move(uci: str) -> int:
    """A move in Polyglot's bits: to file, to rank, from file, from rank, three bits each."""
    move = chess.Move.from_uci(uci)
    return move.to_square | move.from_square << 6


def write_book(path: Path, entries: dict[str, int], board: chess.Board | None = None) -> Path:
    """A book with one position; `entries`: weight by move."""
    key = chess.polyglot.zobrist_hash(board or chess.Board())
    lines = sorted(((raw_move(uci), weight) for uci, weight in entries.items()), key=lambda line: -line[1])
    path.write_bytes(b"".join(struct.pack(">QHHI", key, move, weight, 0) for move, weight in lines))
    return path


def book(tmp_path: Path, entries: dict[str, int], **settings: object) -> BookSource:
    """A source over such a book, with a fixed generator."""
    path = write_book(tmp_path / "book.bin", entries)
    return BookSource(BookSettings.model_validate({"path": path, **settings}), random.Random(1))


def counts(source: BookSource, times: int = 400) -> collections.Counter[str]:
    """How often each move is chosen."""
    choices = [source.choose(START, 1.0) for _ in range(times)]
    return collections.Counter(choice.move.uci() for choice in choices if choice)


def test_best_takes_the_heaviest(tmp_path: Path) -> None:
    source = book(tmp_path, {"e2e4": 5, "d2d4": 9}, selection="best")
    assert counts(source) == {"d2d4": 400}


def test_weighted_follows_the_weights(tmp_path: Path) -> None:
    found = counts(book(tmp_path, {"e2e4": 30, "d2d4": 10}, selection="weighted"))
    assert 0.6 < found["e2e4"] / 400 < 0.9


def test_uniform_ignores_them(tmp_path: Path) -> None:
    found = counts(book(tmp_path, {"e2e4": 1000, "d2d4": 1}, selection="uniform"))
    assert 0.35 < found["e2e4"] / 400 < 0.65


def test_weights_of_zero_are_moves_too(tmp_path: Path) -> None:
    source = book(tmp_path, {"e2e4": 0}, selection="weighted", min_weight=0)
    assert counts(source, 3) == {"e2e4": 3}


def test_light_and_illegal_moves_are_passed_over(tmp_path: Path) -> None:
    source = book(tmp_path, {"e2e4": 1, "d2d4": 9, "e1e5": 99}, selection="best", min_weight=5)
    assert counts(source, 3) == {"d2d4": 3}


def test_unknown_position(tmp_path: Path) -> None:
    board = chess.Board()
    board.push_uci("a2a3")
    assert book(tmp_path, {"e2e4": 1}).choose(MoveRequest(board), 1.0) is None


@pytest.mark.parametrize(
    ("request_", "applies"),
    [
        (START, True),
        (MoveRequest(chess.Board(), facts=Facts(variant="atomic")), False),
        (MoveRequest(chess.Board(), facts=Facts(speed="bullet")), False),
        (MoveRequest(chess.Board("8/8/4k3/8/8/4K3/8/8 w - - 0 11")), False),
    ],
)
def test_where_it_applies(request_: MoveRequest, applies: bool, tmp_path: Path) -> None:
    source = book(tmp_path, {"e2e4": 1}, max_ply=20, speeds=["blitz"])
    assert source.applies(request_) == applies


def test_castling_is_written_as_king_takes_rook(tmp_path: Path) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    path = write_book(tmp_path / "book.bin", {"e1h1": 1}, board)
    choice = BookSource(BookSettings(path=path)).choose(MoveRequest(board), 1.0)
    assert choice is not None
    assert choice.move == chess.Move.from_uci("e1g1")


@pytest.mark.parametrize("content", [b"", b"twelve bytes", b"sixteen bytes and more"])
def test_a_file_that_is_no_book_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.bin"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"no\.bin"):
        BookSource(BookSettings(path=path))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"gone\.bin cannot be read"):
        BookSource(BookSettings(path=tmp_path / "gone.bin"))


def test_a_real_book() -> None:
    source = BookSource(BookSettings(path=shared_data("polyglot/performance.bin")), random.Random(2))
    board = chess.Board()
    for _ in range(6):
        choice = source.choose(MoveRequest(board), 1.0)
        assert choice is not None
        board.push(choice.move)
    assert board.ply() == 6


@pytest.mark.parametrize(
    ("color", "white", "black"), [(None, True, True), ("white", True, False), ("black", False, True)]
)
def test_a_book_for_one_colour(color: str | None, white: bool, black: bool, tmp_path: Path) -> None:
    source = book(tmp_path, {"e2e4": 1}, color=color)
    after = chess.Board()
    after.push_uci("e2e4")
    reply = MoveRequest(after, Facts(color="black"))
    assert (source.applies(START), source.applies(reply)) == (white, black)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 3), (0.1, 2), (0.5, 2), (0.51, 1), (1.0, 1)])
def test_moves_much_lighter_than_the_heaviest_are_left_out(share: float, expected: int, tmp_path: Path) -> None:
    path = write_book(tmp_path / "book.bin", {"e2e4": 100, "d2d4": 50, "a2a3": 1})
    book = BookSource(BookSettings(path=path, selection="uniform", min_share=share), random.Random(88))
    found = {choice.move for _ in range(100) if (choice := book.choose(MoveRequest(chess.Board()), 1.0))}
    book.close()
    assert len(found) == expected
