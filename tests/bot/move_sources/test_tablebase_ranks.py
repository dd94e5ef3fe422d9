"""What the numbers of tables mean: limits of the fifty moves, the choice among moves of one result, missing tables."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import chess
import chess.gaviota
import chess.variant
import pytest

from bot.move_sources import tablebases as syzygy_module
from bot.move_sources.request import NO_MOVE, Choice, MoveRequest
from bot.move_sources.tablebases import GaviotaSource, RankedMove, SyzygySource
from bot.settings import GaviotaSettings, SyzygySettings
from tests.helpers.ending import closed_at_end
from tests.helpers.shared import shared_data

ROOK = "8/8/8/3k4/8/8/1R6/K7 {turn} - - {clock} 90"


@pytest.mark.parametrize(
    ("dtz", "clock", "wdl"),
    [(0, 99, 0), (1, 0, 2), (50, 50, 2), (50, 51, 1), (101, 0, 1), (-1, 0, -2), (-50, 50, -2), (-50, 51, -1)],
)
def test_a_result_counts_within_fifty_moves(dtz: int, clock: int, wdl: int) -> None:
    assert RankedMove(NO_MOVE, dtz, False).wdl(clock) == wdl


class Tables:
    """Tables that know one number, or none."""

    def __init__(self, value: int | None) -> None:
        self.value = value

    def probe(self, _board: chess.Board) -> int:
        if self.value is None:
            raise KeyError("no such table")
        return self.value

    probe_wdl = probe_dtz = probe_dtm = probe


@pytest.mark.parametrize(
    ("uci", "told", "dtz"),
    [
        *[("a6a7", 2, -1), ("a6a7", 1, -101), ("a6a7", 0, 0), ("a6a7", -1, 101), ("a6a7", -2, 1)],
        *[("h1h2", 5, -6), ("h1h2", -5, 6), ("h1h2", 0, 0)],
    ],
)
def test_what_the_opponent_has_is_turned_round_and_a_ply_added(uci: str, told: int, dtz: int) -> None:
    """After a pawn move the fifty moves begin again, and the table of results is asked alone."""
    source: Any = SimpleNamespace(_tables=Tables(told))
    board = chess.Board("8/2q5/P7/8/8/8/1k6/7K w - - 40 60")
    assert SyzygySource._rank(source, board, chess.Move.from_uci(uci)).dtz == dtz
    assert board.move_stack == []


@pytest.mark.parametrize(
    ("fen", "uci", "value"),
    [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 5 1", "a1a8", 1),  # mate
        ("7k/8/5KQ1/8/8/8/8/8 w - - 5 1", "g6f7", 0),  # stalemate
        ("8/8/8/8/8/8/1r6/K6k w - - 5 1", "a1b2", 0),  # bare kings
    ],
)
def test_the_end_of_a_game_needs_no_table(fen: str, uci: str, value: int) -> None:
    source: Any = SimpleNamespace(_tables=Tables(None))
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert SyzygySource._rank(source, board, move).dtz == value
    assert GaviotaSource._dtm(source, board, move) == value


A, B, C, D = (RankedMove(chess.Move.from_uci(f"a1{square}"), dtz, repeats) for square, dtz, repeats in (
    ("a2", 9, False), ("a3", 5, False), ("a4", 1, True), ("a5", 7, True),
))  # fmt: skip


def lost(one: RankedMove) -> RankedMove:
    """The same with the result turned round."""
    return RankedMove(one.move, -one.dtz, one.repeats)


@pytest.mark.parametrize("wdl", [1, 2])
def test_a_win_makes_progress_and_a_loss_repeats_or_resists(wdl: int) -> None:
    best = SyzygySource._best
    source: Any = SimpleNamespace()
    board = chess.Board()
    assert best(source, [A, B, C, D], wdl, board) == B
    assert best(source, [C, D], wdl, board) == C
    assert best(source, [*map(lost, (A, B, C, D))], -wdl, board) == lost(D)
    assert best(source, [*map(lost, (A, B))], -wdl, board) == lost(A)


@pytest.mark.parametrize(("time_s", "best"), [(60.0, "a1a8"), (-1.0, "a1a2")])
def test_of_draws_the_one_with_the_largest_share_of_losing_replies_is_played(
    time_s: float, best: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five replies three lose, after the check two of three; without time the first move is as good as any."""
    monkeypatch.setattr(syzygy_module, "SWINDLE_TIME_S", time_s)
    losing = {"a1a2": 3, "a1a8": 2, "a1a3": 1}

    def loses(board: chess.Board, reply: chess.Move) -> bool:
        return list(board.legal_moves).index(reply) < losing[board.peek().uci()]

    source: Any = SimpleNamespace(_loses=loses)
    source._share_of_losing_replies = partial(SyzygySource._share_of_losing_replies, source)
    moves = [RankedMove(chess.Move.from_uci(uci), 0, False) for uci in losing]
    board = chess.Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1")
    assert SyzygySource._hardest_to_defend(source, moves, board).move.uci() == best


@pytest.fixture(scope="module")
def gaviota() -> Iterator[GaviotaSource]:
    with contextlib.closing(GaviotaSource(GaviotaSettings(paths=(shared_data("gaviota3"),)))) as source:
        yield source


def gaviota_choice(gaviota: GaviotaSource, turn: str, clock: int) -> Choice:
    """What is chosen with king and rook against king."""
    choice = gaviota.choose(MoveRequest(chess.Board(ROOK.format(turn=turn, clock=clock))), 5.0)
    assert choice is not None
    return choice


@pytest.mark.parametrize(("turn", "sign"), [("w", 1), ("b", -1)])
def test_a_mate_at_the_very_end_of_the_fifty_moves_counts(turn: str, sign: int, gaviota: GaviotaSource) -> None:
    with chess.gaviota.open_tablebase(str(shared_data("gaviota3"))) as tables:
        board = chess.Board(ROOK.format(turn=turn, clock=0))
        plies = tables.probe_dtm(board)
        assert plies * sign > 0
        move = gaviota_choice(gaviota, turn, 0).move
        board.push(move)
        assert tables.probe_dtm(board) == sign - plies  # the quickest mate, or the longest defence
    assert gaviota_choice(gaviota, turn, 100 - abs(plies)).wdl == 2 * sign
    assert gaviota_choice(gaviota, turn, 101 - abs(plies)).wdl == sign


def test_gaviota_calls_it_a_draw_where_one_move_holds(gaviota: GaviotaSource) -> None:
    choice = gaviota.choose(MoveRequest(chess.Board("8/8/8/8/8/1kR5/8/K7 b - - 0 1")), 5.0)
    assert choice == Choice(NO_MOVE, "gaviota", 0)


@pytest.mark.parametrize(
    ("fen", "most", "applies"),
    [
        ("8/8/8/3k4/8/8/1R6/K7 w - - 0 1", 3, True),
        ("8/8/8/3k4/8/8/1R6/K7 w - - 0 1", 2, False),
        ("8/8/8/3k4/8/8/1R6/K7 w - - 0 1", 5, True),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 3, False),
    ],
)
def test_tables_are_asked_about_few_pieces_without_castling(fen: str, most: int, applies: bool) -> None:
    source: Any = SimpleNamespace(_max_pieces=most)
    for kind in (SyzygySource, GaviotaSource):
        assert kind.applies(source, MoveRequest(chess.Board(fen))) is applies
        assert not kind.applies(source, MoveRequest(chess.variant.AtomicBoard(fen)))


@pytest.mark.parametrize(("most", "used"), [(3, 3), (7, 4)])
def test_syzygy_is_asked_as_far_as_its_tables_go(most: int, used: int) -> None:
    source = closed_at_end(SyzygySource(SyzygySettings(paths=(shared_data("syzygy3-4"),), max_pieces=most)))
    assert source._max_pieces == used
