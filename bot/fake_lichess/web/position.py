"""A position for the page: pieces, legal moves, notation, captured material, and the last move in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import chess
import chess.variant

from ..openings import find_opening, opening_json
from ..world.json_objects import Json
from ..world.variants import COLOR_NAMES, find_variant
from .premoves import premove_targets

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
ORDER = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
#: Counting captured pieces is meaningless here: they return, or losing them is the aim.
WITHOUT = (chess.variant.CrazyhouseBoard, chess.variant.AntichessBoard)
MAX_MOVES = 2000


def material(board: chess.Board) -> Json | None:
    """Return the letters of captured pieces by side, the most valuable first, and White's lead in pawns.

    None where pieces return or are to be lost. In atomic chess a piece lost in its own explosion counts for the
    opponent.
    """
    if isinstance(board, WITHOUT):
        return None
    taken: dict[chess.Color, Counter[chess.PieceType]] = {chess.WHITE: Counter(), chess.BLACK: Counter()}
    replay = board.root()
    for move in board.move_stack:
        if not replay.is_capture(move):
            replay.push(move)
            continue
        before = _counts(replay)
        replay.push(move)
        after = _counts(replay)
        if move.promotion is not None:  # a pawn that promoted was not captured
            color = not replay.turn
            after[color, chess.PAWN] += 1
            after[color, move.promotion] -= 1
        for (color, piece_type), lost in (before - after).items():
            taken[not color][piece_type] += lost
    counts = _counts(board)
    lead = sum(WORTH[kind] * number * (1 if color else -1) for (color, kind), number in counts.items())
    return {"white": _letters(taken[chess.WHITE]), "black": _letters(taken[chess.BLACK]), "lead": lead}


def _counts(board: chess.Board) -> Counter[tuple[chess.Color, chess.PieceType]]:
    return Counter(
        {(color, kind): len(board.pieces(kind, color)) for color in chess.COLORS for kind in chess.PIECE_TYPES}
    )


def _letters(taken: Counter[chess.PieceType]) -> str:
    return "".join(chess.piece_symbol(kind) * taken[kind] for kind in ORDER)


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
        "last": _last_squares(board),
        "check": _checked_king(board),
        "targets": _targets(board),
        "premoves": premove_targets(board),
        "pockets": _pockets(board),
        "sans": sans,
        "firstNumber": first.fullmove_number,
        "firstTurn": COLOR_NAMES[first.turn],
        "checksLeft": _checks_left(board),
        "material": material(board),
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


def _last_squares(board: chess.Board) -> list[str]:
    if not board.move_stack:
        return []
    move = board.peek()
    squares = [move.to_square] if move.drop else [move.from_square, move.to_square]
    return [chess.square_name(square) for square in squares]


def _checked_king(board: chess.Board) -> str | None:
    king = board.king(board.turn)
    return chess.square_name(king) if king is not None and board.is_check() else None


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
