"""Making and unmaking moves.

`make_move_without_keys` and `unmake_move_without_keys` update pieces, castling rights and side to move only, which is
all that perft needs. `make_move` and `unmake_move` also update the Zobrist keys and the clocks, and keep an en-passant
square only where a legal capture uses it.
"""

from engine88.board.attacks import in_check
from engine88.board.defs import EMPTY, NO_MOVE, NO_SQUARE, PAWN
from engine88.board.invariants import assert_position
from engine88.board.moves import (
    CAPTURE,
    CASTLING,
    DOUBLE_PUSH,
    PROMOTION_SHIFT,
    SQUARE_MASK,
    TO_SHIFT,
    captured_square,
)
from engine88.board.record import Board, remove_piece, restore_piece, shift_piece
from engine88.board.zobrist import CASTLING_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import entry, inlined, int64, kernel
from engine88.rules.castling import castle, castled_king, castled_rook
from engine88.rules.en_passant import usable_en_passant
from engine88.rules.invariants import assert_move_fits


@inlined
def make_move_without_keys(board: Board, move: int) -> None:
    """Make a legal move on squares and lists only; a double push always sets the en-passant square."""
    side = int64(board.side)
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    ply = int64(board.stack_size)
    board.moves[ply] = move
    board.rights[ply] = board.castling_rights
    board.en_passants[ply] = board.en_passant
    board.captured[ply] = EMPTY
    board.stack_size = ply + 1
    board.side = 1 - side
    board.castling_rights &= board.castling_masks[from_square] & board.castling_masks[to_square]
    board.en_passant = NO_SQUARE
    if move & CASTLING:
        king_target, rook_target = castled_king(from_square, to_square), castled_rook(from_square, to_square)
        castle(board, from_square, to_square, king_target, rook_target, side)
        return
    if move & CAPTURE:
        victim = captured_square(move)
        board.captured[ply] = board.squares[victim]
        board.captured_places[ply] = remove_piece(board, victim)
    elif move & DOUBLE_PUSH:
        board.en_passant = (from_square + to_square) >> 1
    shift_piece(board, from_square, to_square, side)
    promoted = move >> PROMOTION_SHIFT & 7
    if promoted:
        _change_piece_type(board, to_square, side << 3 | promoted)


@inlined
def _change_piece_type(board: Board, square: int, piece: int) -> None:
    """Replace the piece on `square` by another of the same side; its place in the list stays."""
    board.counts[int64(board.squares[square])] -= 1
    board.counts[piece] += 1
    board.squares[square] = piece


@inlined
def unmake_move_without_keys(board: Board) -> None:
    """Undo `make_move_without_keys` exactly."""
    ply = int64(board.stack_size) - 1
    move = int64(board.moves[ply])
    side = 1 - int64(board.side)
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    board.stack_size = ply
    board.side = side
    board.castling_rights = board.rights[ply]
    board.en_passant = board.en_passants[ply]
    if move & CASTLING:
        king_target, rook_target = castled_king(from_square, to_square), castled_rook(from_square, to_square)
        castle(board, king_target, rook_target, from_square, to_square, side)
        return
    if move >> PROMOTION_SHIFT & 7:
        _change_piece_type(board, to_square, side << 3 | PAWN)
    shift_piece(board, to_square, from_square, side)
    if move & CAPTURE:
        victim = captured_square(move)
        restore_piece(board, victim, int64(board.captured[ply]), int64(board.captured_places[ply]))


@inlined
def _push_keys(board: Board) -> None:
    ply = int64(board.stack_size)
    board.keys[ply] = board.key
    board.pawn_keys[ply] = board.pawn_key
    board.non_pawn_keys[ply, 0] = board.non_pawn_key[0]
    board.non_pawn_keys[ply, 1] = board.non_pawn_key[1]
    board.halfmove_clocks[ply] = board.halfmove_clock


@inlined
def _pop_keys(board: Board, ply: int) -> None:
    board.key = board.keys[ply]
    board.pawn_key = board.pawn_keys[ply]
    board.non_pawn_key[0] = board.non_pawn_keys[ply, 0]
    board.non_pawn_key[1] = board.non_pawn_keys[ply, 1]
    board.halfmove_clock = board.halfmove_clocks[ply]


@inlined
def _toggle(board: Board, piece: int, square: int) -> None:
    """Update the three keys that know of a piece which appears on or vanishes from a square."""
    piece_key = PIECE_KEYS[piece, square]
    board.key ^= piece_key
    if piece & 7 == PAWN:
        board.pawn_key ^= piece_key
    else:
        board.non_pawn_key[piece >> 3] ^= piece_key


@inlined
def _toggle_move(board: Board, move: int) -> None:
    """Update the piece keys for `move`, which is not made yet."""
    side = int64(board.side)
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    piece = int64(board.squares[from_square])
    _toggle(board, piece, from_square)
    if move & CASTLING:
        rook = int64(board.squares[to_square])
        _toggle(board, rook, to_square)
        _toggle(board, piece, castled_king(from_square, to_square))
        _toggle(board, rook, castled_rook(from_square, to_square))
        return
    if move & CAPTURE:
        victim = captured_square(move)
        _toggle(board, int64(board.squares[victim]), victim)
    promoted = move >> PROMOTION_SHIFT & 7
    _toggle(board, side << 3 | promoted if promoted else piece, to_square)


@entry
def make_move(board: Board, move: int) -> None:
    """Make a legal move; `unmake_move` restores every byte of the position."""
    if DEBUG:
        assert_move_fits(board, move)
    _push_keys(board)
    zeroing = move & CAPTURE != 0 or board.squares[move & SQUARE_MASK] & 7 == PAWN
    board.halfmove_clock = 0 if zeroing else board.halfmove_clock + 1
    board.key ^= CASTLING_KEYS[int64(board.castling_rights)] ^ EN_PASSANT_KEYS[int64(board.en_passant)] ^ SIDE_KEY
    _toggle_move(board, move)
    make_move_without_keys(board, move)
    if move & DOUBLE_PUSH:
        board.en_passant = usable_en_passant(board, int64(board.en_passant))
    board.key ^= CASTLING_KEYS[int64(board.castling_rights)] ^ EN_PASSANT_KEYS[int64(board.en_passant)]
    board.move_number += 1 - board.side
    if DEBUG:
        assert_position(board)


@entry
def unmake_move(board: Board) -> None:
    """Undo the last move."""
    if DEBUG:
        assert board.stack_size > 0, "there is no move to undo"
        assert board.moves[int64(board.stack_size) - 1] != NO_MOVE, "a null move is undone as a move"
    board.move_number -= 1 - board.side
    unmake_move_without_keys(board)
    _pop_keys(board, int64(board.stack_size))
    if DEBUG:
        assert_position(board)


@inlined
def make_null_move(board: Board) -> None:
    """Pass the move. The halfmove clock restarts, so that no repetition is seen across the null move."""
    if DEBUG:
        assert not in_check(board), "a null move in check"
    ply = int64(board.stack_size)
    _push_keys(board)
    board.moves[ply] = NO_MOVE
    board.captured[ply] = EMPTY
    board.rights[ply] = board.castling_rights
    board.en_passants[ply] = board.en_passant
    board.key ^= EN_PASSANT_KEYS[int64(board.en_passant)] ^ SIDE_KEY
    board.en_passant = NO_SQUARE
    board.halfmove_clock = 0
    board.side = 1 - board.side
    board.stack_size = ply + 1
    if DEBUG:
        assert_position(board)


@kernel
def unmake_null_move(board: Board) -> None:
    """Undo a null move."""
    if DEBUG:
        assert board.moves[int64(board.stack_size) - 1] == NO_MOVE, "a move is undone as a null move"
    ply = int64(board.stack_size) - 1
    board.stack_size = ply
    board.side = 1 - board.side
    board.en_passant = board.en_passants[ply]
    _pop_keys(board, ply)
    if DEBUG:
        assert_position(board)
