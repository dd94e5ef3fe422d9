"""Syzygy and Gaviota: keep the win, hold the draw, resist; against each other and by playing out."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.syzygy
import pytest

from bot.errors import ConfigurationError
from bot.move_sources import tablebases as syzygy_module
from bot.move_sources.request import Choice, MoveRequest
from bot.move_sources.tablebases import GaviotaSource, SyzygySource
from bot.settings import GaviotaSettings, SyzygySettings
from tests.helpers.shared import shared_data


@pytest.fixture(scope="module")
def syzygy() -> Iterator[SyzygySource]:
    with contextlib.closing(SyzygySource(SyzygySettings(paths=(shared_data("syzygy3-4"),)))) as source:
        yield source


@pytest.fixture(scope="module")
def gaviota() -> Iterator[GaviotaSource]:
    with contextlib.closing(GaviotaSource(GaviotaSettings(paths=(shared_data("gaviota3"),)))) as source:
        yield source


def choose(source: SyzygySource | GaviotaSource, board: chess.Board) -> Choice | None:
    """The source's choice, as far as it applies."""
    request = MoveRequest(board)
    return source.choose(request, 5.0) if source.applies(request) else None


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/3k4/8/8/1R6/K7 w - - 0 1",
        "7k/8/8/8/8/8/1BN5/K7 w - - 0 1",
        "8/2k5/8/8/8/8/1R1K1b2/8 w - - 0 1",
    ],
)
def test_a_won_ending_is_won_against_the_longest_defence(fen: str, syzygy: SyzygySource) -> None:
    board = chess.Board(fen)
    first = choose(syzygy, board)
    assert first is not None
    if first.wdl == 2:
        while not board.is_game_over(claim_draw=True):
            choice = choose(syzygy, board)
            assert choice is not None
            board.push(choice.move)
        assert board.is_checkmate()
        assert board.turn == chess.BLACK
    else:
        assert first.wdl == 0


def test_the_only_winning_move_is_found(syzygy: SyzygySource) -> None:
    # With the king on e6 before its pawn White wins whichever side moves; any other king move lets it go.
    choice = choose(syzygy, chess.Board("4k3/8/3K4/4P3/8/8/8/8 w - - 0 1"))
    assert choice is not None
    assert (choice.move.uci(), choice.wdl) == ("d6e6", 2)


@pytest.fixture
def tables() -> Iterator[chess.syzygy.Tablebase]:
    with chess.syzygy.open_tablebase(str(shared_data("syzygy3-4"))) as opened:
        yield opened


def test_a_pawn_that_wins_is_promoted_without_delay(syzygy: SyzygySource) -> None:
    choice = choose(syzygy, chess.Board("8/P7/8/8/8/k7/8/K7 w - - 0 1"))
    assert choice is not None
    assert (choice.move.uci()[:4], choice.wdl) == ("a7a8", 2)


def test_every_choice_keeps_the_value_of_the_position(syzygy: SyzygySource, tables: chess.syzygy.Tablebase) -> None:
    generator = random.Random(5)
    seen = 0
    while seen < 60:
        board = random_ending(generator, "KQkr" if seen % 2 else "KPkp")
        if board is None or board.is_game_over():
            continue
        value = tables.probe_wdl(board)
        choice = choose(syzygy, board)
        assert choice is not None
        assert choice.wdl == value
        board.push(choice.move)
        assert -tables.probe_wdl(board) == value or board.is_checkmate()
        seen += 1


def random_ending(generator: random.Random, pieces: str) -> chess.Board | None:
    """These pieces on random squares, White to move; None when that is not a position."""
    board = chess.Board(None)
    for symbol, square in zip(pieces, generator.sample(range(8, 56), len(pieces)), strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    return board if board.is_valid() else None


def test_a_pawn_move_at_the_last_moment_starts_the_fifty_moves_anew(syzygy: SyzygySource) -> None:
    choice = choose(syzygy, chess.Board("K7/2q5/P7/8/8/8/8/1k6 w - - 99 100"))
    assert choice == Choice(chess.Move.from_uci("a6a7"), "syzygy", -2)


def test_a_draw_is_held_with_the_move_that_is_hardest_to_answer(
    syzygy: SyzygySource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syzygy_module, "SWINDLE_TIME_S", 60.0)
    choice = choose(syzygy, chess.Board("4R1K1/1b6/8/8/3k4/8/8/8 w - - 0 1"))
    assert choice == Choice(chess.Move.from_uci("e8b8"), "syzygy", 0)  # most replies leave the bishop hanging


def test_a_missing_table_is_no_answer(gaviota: GaviotaSource) -> None:
    assert choose(gaviota, chess.Board("8/8/8/4k3/8/r7/1R6/K7 w - - 0 1")) is None


def test_gaviota_mates_and_resists(gaviota: GaviotaSource) -> None:
    board = chess.Board("8/8/8/3k4/8/8/1R6/K7 w - - 0 1")
    plies = 0
    while not board.is_game_over():
        choice = choose(gaviota, board)
        assert choice is not None
        assert choice.wdl == (2 if board.turn == chess.WHITE else -2)
        board.push(choice.move)
        plies += 1
    assert board.is_checkmate()
    assert plies < 32  # rook and king mate in at most 16 moves


def test_folders_without_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no Syzygy files"):
        SyzygySource(SyzygySettings(paths=(tmp_path,)))
    with pytest.raises(ConfigurationError, match="no Gaviota files"):
        GaviotaSource(GaviotaSettings(paths=(tmp_path,)))
    with pytest.raises(ConfigurationError, match="there is no folder"):
        SyzygySource(SyzygySettings(paths=(tmp_path / "gone",)))


def open_tables() -> int:
    """How many table files this process holds open."""
    links = [one.readlink() for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
    return sum(link.suffix in (".cp4", ".rtbw", ".rtbz") for link in links)


@pytest.mark.parametrize(
    "build",
    [
        lambda: GaviotaSource(GaviotaSettings(paths=(shared_data("gaviota3"),))),
        lambda: SyzygySource(SyzygySettings(paths=(shared_data("syzygy3-4"),))),
    ],
)
def test_closing_a_source_closes_its_tables(build: Callable[[], SyzygySource | GaviotaSource]) -> None:
    before = open_tables()
    source = build()
    board = chess.Board("8/8/8/3k4/8/8/1R6/K7 w - - 0 1")
    assert choose(source, board) is not None
    assert open_tables() > before
    source.close()
    assert open_tables() == before
    assert choose(source, board) is None
