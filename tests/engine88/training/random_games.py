"""Games of random legal moves, made with python-chess, as the tests of the trainer need them."""

from __future__ import annotations

import random

import chess
import numpy as np

from engine88.training.game_file import Game, pack_move

SPECIAL_STARTS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # castling on both sides
    "4k3/1P4P1/8/8/8/8/1p4p1/4K3 w - - 0 1",  # promotions
    "rnbqkbnr/ppp2ppp/8/3pp3/PPPP4/8/4PPPP/RNBQKBNR b KQkq - 0 1",  # pawns about to meet
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # en passant
)


def random_game(seed: int, plies: int = 80) -> Game:
    """A game of random moves from one of the starts; scores are random too, half of the moves special if any is."""
    chooser = random.Random(seed)
    board = chess.Board(SPECIAL_STARTS[seed % len(SPECIAL_STARTS)])
    fen, moves, scores = board.fen(), list[int](), list[int]()
    while len(moves) < plies and not board.is_game_over():
        legal = list(board.legal_moves)
        special = [move for move in legal if move.promotion or board.is_castling(move) or board.is_en_passant(move)]
        move = chooser.choice(special if special and chooser.random() < 0.5 else legal)
        moves.append(pack_move(move.uci()))
        scores.append(chooser.randint(-3000, 3000))
        board.push(move)
    return Game(fen, chooser.randint(0, 2), np.array(moves, np.uint16), np.array(scores, np.int16))


def boards_of(game: Game) -> list[chess.Board]:
    """The position before each move of a game, by python-chess."""
    board = chess.Board(game.fen)
    boards = []
    for code in game.moves:
        boards.append(board.copy(stack=False))
        board.push(chess.Move.from_uci(uci(board, int(code))))
    return boards


def uci(board: chess.Board, code: int) -> str:
    """The move of a packed code, put together by hand."""
    promotion = ["", "n", "b", "r", "q"][code >> 12]
    return chess.square_name(code & 63) + chess.square_name(code >> 6 & 63) + promotion
