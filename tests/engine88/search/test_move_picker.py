"""The picker hands out every legal move exactly once, in the order of its stages."""

from __future__ import annotations

from collections.abc import Callable

import chess
import pytest
from hypothesis import given

from engine88.board.defs import KNIGHT, QUEEN, ROOK
from engine88.board.moves import is_tactical
from engine88.board.record import copy_board
from engine88.compiler.jit import int64
from engine88.rules.position import Position
from engine88.rules.see import see_ge
from engine88.search.history import update_quiet_history
from engine88.search.move_picker import (
    STAGE_QS_TT_MOVE,
    STAGE_TT_MOVE,
    init_picker,
    next_capture,
    next_move,
)
from engine88.search.move_scores import MVV_VALUE, victim_value
from engine88.search.params import ORDER_BAD_QUIET
from engine88.search.threats import set_threats, threat_score
from tests.engine88.games import TRAPS, choices, starts, tried
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, Records, node_of

PLY = int64(3)


PICKERS = {STAGE_TT_MOVE: next_move, STAGE_QS_TT_MOVE: next_capture}


def rest(records: Records, picker: Callable[..., int]) -> list[int]:
    """All that a picker still hands out; once at its end it stays there."""
    arguments = records.board, records.lists, records.state, PLY
    moves = list(iter(lambda: int(picker(*arguments)), 0))
    assert picker(*arguments) == 0
    return moves


def picked(records: Records, stage: int, tt_move: int = 0) -> list[int]:
    node_of(records.state, PLY).in_check = int(Position(records.board).is_check())
    init_picker(records.state, PLY, int64(tt_move), int64(stage))
    return rest(records, PICKERS[stage])


def legal_moves(fen: str) -> list[int]:
    return Position.from_fen(fen).legal_codes()


@pytest.mark.parametrize("fen", [*TRAPS, KIWIPETE, MIDDLEGAME])
@pytest.mark.parametrize("which", [-1, 0, 3], ids=["no table move", "first as table move", "fourth as table move"])
def test_every_legal_move_once(fen: str, which: int) -> None:
    position = Position.from_fen(fen)
    legal = position.legal_codes()
    tt_move = legal[min(which, len(legal) - 1)] if which >= 0 else 0
    moves = picked(Records(fen), STAGE_TT_MOVE, tt_move)
    assert sorted(moves) == sorted(legal)
    if tt_move:
        assert moves[0] == tt_move


@tried(60)
@given(start=starts(), path=choices)
def test_every_legal_move_once_in_random_games(start: tuple[Position, chess.Board], path: list[int]) -> None:
    position, _ = start
    for choice in path[:40]:
        legal = position.legal_codes()
        if not legal:
            return
        position = position.push(legal[choice % len(legal)])
    records = Records(MIDDLEGAME)
    records.board = copy_board(position.board)
    legal = position.legal_codes()
    assert sorted(picked(records, STAGE_TT_MOVE)) == sorted(legal)


def test_quiescence_gets_the_tactical_moves_only() -> None:
    moves = picked(Records(KIWIPETE), STAGE_QS_TT_MOVE)
    assert sorted(moves) == sorted(move for move in legal_moves(KIWIPETE) if is_tactical(move))


def test_winning_captures_then_quiets_then_losing_captures_then_bad_quiets() -> None:
    records = Records(KIWIPETE)
    set_threats(records.board, records.state)
    kinds = []
    for move in map(int64, picked(records, STAGE_TT_MOVE)):
        if is_tactical(move):
            kinds.append("good" if see_ge(records.board, move, int64(0)) else "bad")
        else:
            kinds.append("quiet" if threat_score(records.board, records.state, move) > ORDER_BAD_QUIET else "bad quiet")
    order = ["good", "quiet", "bad", "bad quiet"]
    assert kinds == sorted(kinds, key=order.index)
    assert set(kinds) == set(order)


def test_a_quiet_check_that_loses_nothing_leads_the_quiets() -> None:
    fen = "3k4/8/2p5/8/8/8/8/4R1BK w - - 0 1"  # Rd1+ is safe, Bb6+ too, Re8+ loses the rook
    position = Position.from_fen(fen)
    moves = [position.move_name(move) for move in picked(Records(fen), STAGE_TT_MOVE)]
    assert set(moves[:2]) == {"e1d1", "g1b6"}
    assert "e1e8" in moves[2:]


def test_history_orders_the_quiets() -> None:
    records = Records(MIDDLEGAME)
    quiets = [move for move in legal_moves(MIDDLEGAME) if not is_tactical(move)]
    for bonus, move in ((900, quiets[8]), (500, quiets[2]), (-900, quiets[0])):
        update_quiet_history(records.board, records.state, PLY, int64(move), int64(bonus))
    order = [move for move in picked(records, STAGE_TT_MOVE) if not is_tactical(move)]
    assert order[:2] == [quiets[8], quiets[2]]
    assert order[-1] == quiets[0]


def test_skipped_quiets_do_not_come() -> None:
    records = Records(KIWIPETE)
    init_picker(records.state, PLY, int64(0), int64(STAGE_TT_MOVE))
    node_of(records.state, PLY).skip_quiets = 1
    moves = rest(records, next_move)
    assert sorted(moves) == sorted(move for move in legal_moves(KIWIPETE) if is_tactical(move))


def test_the_excluded_move_does_not_come() -> None:
    records = Records(MIDDLEGAME)
    legal = legal_moves(MIDDLEGAME)
    node_of(records.state, PLY).excluded_move = legal[4]
    assert sorted(picked(records, STAGE_TT_MOVE)) == sorted(set(legal) - {legal[4]})


def test_quiescence_takes_the_greatest_victim_first() -> None:
    records = Records("6k1/8/2q1r3/3P4/1n6/P7/8/6K1 w - - 0 1")
    victims = [int(victim_value(records.board, int64(move))) for move in picked(records, STAGE_QS_TT_MOVE)]
    assert victims == sorted(MVV_VALUE[[QUEEN, ROOK, KNIGHT]], reverse=True)
