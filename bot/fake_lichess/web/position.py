"""A position for the page: pieces, legal moves, notation, and the last move in words."""

from __future__ import annotations

from collections.abc import Mapping

import chess
import chess.variant

from ..board import checked_king, last_squares, materials
from ..openings import find_opening, opening_json
from ..world.json_objects import Json
from ..world.variants import COLOR_NAMES, find_variant
from .premoves import premove_targets

MAX_MOVES = 2000


def last_move_in_words(board: chess.Board) -> str:
    """Return the last move, such as "knight takes on f 6, check"; empty before the first."""
    if not board.move_stack:
        return ""
    before = board.copy()
    move = before.pop()
    end = ", checkmate" if board.is_checkmate() else ", check" if board.is_check() else ""
    return _words(before, move) + end


def _square(square: chess.Square) -> str:
    """File and rank apart, so that "a 4" is not read as an article."""
    return f"{chess.FILE_NAMES[chess.square_file(square)]} {chess.square_rank(square) + 1}"


def _words(before: chess.Board, move: chess.Move) -> str:
    if move.drop:
        return f"{chess.piece_name(move.drop)} dropped on {_square(move.to_square)}"
    if before.is_castling(move):
        return f"castles {'kingside' if before.is_kingside_castling(move) else 'queenside'}"
    piece_type = before.piece_type_at(move.from_square) or chess.PAWN
    how = "takes on" if before.is_capture(move) else "to"
    words = f"{chess.piece_name(piece_type)} {how} {_square(move.to_square)}"
    if before.is_en_passant(move):
        words += " en passant"
    return words + (f", becomes a {chess.piece_name(move.promotion)}" if move.promotion else "")


def read_board(fields: Mapping[str, object]) -> tuple[chess.Board, list[str]]:
    """Return the board after the moves, and the moves in notation.

    `fields`: `variant` (Lichess's key), `initialFen` (FEN or "startpos"), `moves` (UCI, blanks between).
    Raises ValueError with a sentence for the reader.
    """
    board = _first_board(str(fields.get("variant") or "standard"), str(fields.get("initialFen") or "startpos"))
    words = str(fields.get("moves") or "").split()
    if len(words) > MAX_MOVES:
        raise ValueError(f"more than {MAX_MOVES} moves")
    return board, [_push(board, word) for word in words]


def describe(fields: Mapping[str, object]) -> Json:
    """Return a position of a game for the page; `fields` as for `read_board`.

    Has the position after the last move, the legal moves by square, possible premoves of the other side, the
    notation of all moves, and the opening's name. Raises ValueError with a sentence for the reader.
    """
    board, sans = read_board(fields)
    first, variant = board.root(), str(fields.get("variant") or "standard")
    opening = find_opening(variant, str(fields.get("initialFen") or "startpos"), [m.uci() for m in board.move_stack])
    return {
        "fen": board.fen(),
        "turn": COLOR_NAMES[board.turn],
        "pieces": {chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()},
        "last": last_squares(board),
        "check": checked_king(board),
        "targets": _targets(board),
        "premoves": premove_targets(board),
        "pockets": _pockets(board),
        "sans": sans,
        "firstNumber": first.fullmove_number,
        "firstTurn": COLOR_NAMES[first.turn],
        "checksLeft": _checks_left(board),
        "material": materials(board)[-1],
        "spoken": last_move_in_words(board),
        "opening": None if opening is None else opening_json(opening),
    }


def _first_board(variant_key: str, initial_fen: str) -> chess.Board:
    variant = find_variant(variant_key)
    if variant is None:
        raise ValueError(f"unknown variant {variant_key[:40]!r}")
    fen = variant.board_class.starting_fen if initial_fen == "startpos" else initial_fen
    try:
        board = variant.board_class(fen, chess960=variant_key == "chess960")
    except ValueError as error:
        raise ValueError(f"unreadable position {initial_fen[:100]!r}") from error
    board.chess960 = board.chess960 or board.has_chess960_castling_rights()
    return board


def _push(board: chess.Board, word: str) -> str:
    try:
        move = board.parse_uci(word)
    except ValueError as error:
        raise ValueError(f"move {word[:10]!r} is not possible in {board.fen()}") from error
    san = board.san(move)
    board.push(move)
    return san


def _targets(board: chess.Board) -> dict[str, dict[str, list[str]]]:
    """Return from square (or "P@" for a drop) to square to the moves in UCI: several where a pawn promotes.

    Castling may be played onto the king's target or onto the rook.
    """
    found: dict[str, dict[str, list[str]]] = {}
    if board.is_variant_end():
        return found
    for move in board.legal_moves:
        uci = board.uci(move)
        start = uci[:2] if move.drop else chess.square_name(move.from_square)
        for target in {uci[2:4], *_castling_targets(board, move)}:
            found.setdefault(start, {}).setdefault(target, []).append(uci)
    return found


def _castling_targets(board: chess.Board, move: chess.Move) -> set[str]:
    if not board.is_castling(move):
        return set()
    rank = chess.square_rank(move.from_square)
    short = board.is_kingside_castling(move)
    rook = max if short else min
    rooks = [square for square in chess.SquareSet(board.castling_rights) if chess.square_rank(square) == rank]
    king_target = chess.square(6 if short else 2, rank)
    # In Chess960 a king may also simply step onto that square: then only the rook's square means castling.
    steps = board.chess960 and chess.square_distance(move.from_square, king_target) <= 1
    targets = {chess.square_name(rook(rooks))} if rooks else set()
    return targets if steps else targets | {chess.square_name(king_target)}


def _pockets(board: chess.Board) -> dict[str, dict[str, int]] | None:
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return None
    return {
        COLOR_NAMES[color]: {
            chess.piece_symbol(kind).upper(): board.pockets[color].count(kind) for kind in range(chess.PAWN, chess.KING)
        }
        for color in chess.COLORS
    }


def _checks_left(board: chess.Board) -> dict[str, int] | None:
    if not isinstance(board, chess.variant.ThreeCheckBoard):
        return None
    return {COLOR_NAMES[color]: board.remaining_checks[color] for color in chess.COLORS}
