"""The tablebase: what is configured, Syzygy tables of one's own, else that nothing is known."""

from __future__ import annotations

import chess

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.reference.asked_position import asked_board, configured
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.opponents.reference import CATEGORIES, Reference
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.json_objects import Json

MAX_TABLEBASE_PIECES = 7
UNKNOWN = "unknown"


def get_tablebase(state: AppState, request: Request) -> Answer:
    """The result of a position with its moves, the best first."""
    board = asked_board(request)
    if not request.query.get("fen"):
        raise ApiError(400, "Missing fen")
    found = configured(state.world.config.stubs.tablebase, board)
    if found is not None:
        return Answer(found)
    if chess.popcount(board.occupied) > MAX_TABLEBASE_PIECES:
        raise ApiError(404, "Too many pieces")
    moves = [_move(state.reference, board, move) for move in board.legal_moves]
    moves.sort(key=_worth)
    return Answer(_position(state.reference, board) | {"moves": moves})


def _position(reference: Reference, board: chess.Board) -> Json:
    probe = reference.probe(board)
    return {
        "category": UNKNOWN if probe is None else probe.category,
        "dtz": None if probe is None else probe.dtz,
        "precise_dtz": None,
        "dtm": None,
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "insufficient_material": board.is_insufficient_material(),
    }


def _move(reference: Reference, board: chess.Board, move: chess.Move) -> Json:
    """A move with what it leads to, told for the opponent."""
    found: Json = {"uci": move.uci(), "san": board.san(move), "zeroing": board.is_zeroing(move)}
    board.push(move)
    found |= _position(reference, board)
    board.pop()
    return found


def _worth(move: Json) -> tuple[int, bool, int]:
    """The order of moves: what is worst for the opponent first, the quicker win and the slower loss."""
    order = [CATEGORIES[wdl] for wdl in (-2, -1)] + [UNKNOWN] + [CATEGORIES[wdl] for wdl in (0, 1, 2)]
    dtz = move["dtz"] if isinstance(move["dtz"], int) else 0
    return (order.index(str(move["category"])), not move["checkmate"], -dtz)


TABLEBASE_SPECS = [Spec("tablebase", "GET", "/standard", get_tablebase, None)]
