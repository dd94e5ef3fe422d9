"""A UCI engine for tests that counts material after each move: `scoring_engine.py [crash|silent|crash-once FILE]`.

`crash`: ends at its first search; `silent`: moves without an info line. Scores and lines are the same on every machine;
it knows MultiPV and Chess960.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 310, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
MATE_CP = 100_000


def say(text: str) -> None:
    """One line out, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def score_of(board: chess.Board, move: chess.Move) -> int:
    """Material in centipawns for the mover after the move; MATE_CP when it mates."""
    mover = board.turn
    board.push(move)
    mated = board.is_checkmate()
    pieces = board.piece_map().values()
    material = sum(VALUES[piece.piece_type] * (1 if piece.color == mover else -1) for piece in pieces)
    board.pop()
    return MATE_CP if mated else material


def go(board: chess.Board, lines: int) -> None:
    """The best moves by material, the first legal one first among equals."""
    moves = sorted(board.legal_moves, key=lambda move: -score_of(board, move))
    for number, move in enumerate(moves[:lines], start=1):
        cp = score_of(board, move)
        score = "mate 1" if cp == MATE_CP else f"cp {cp}"
        say(f"info depth 3 multipv {number} score {score} nodes 10 time 1 pv {board.uci(move)}")
    say(f"bestmove {board.uci(moves[0]) if moves else '(none)'}")


def main() -> None:
    """Read commands until the end of input."""
    board, lines = chess.Board(), 1
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            say("id name Scoring\noption name MultiPV type spin default 1 min 1 max 5")
            say("option name UCI_Chess960 type check default false\nuciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:3] == ["setoption", "name", "MultiPV"]:
            lines = int(words[-1])
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
            head = words[1 : words.index("moves")] if "moves" in words else words[1:]
            board = chess.Board() if head[0] == "startpos" else chess.Board(" ".join(head[1:]))
            for move in moves:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            if "crash-once" in sys.argv and not Path(sys.argv[-1]).exists():
                Path(sys.argv[-1]).touch()
                os._exit(3)
            if "crash" in sys.argv:
                os._exit(3)
            go(board, 0 if "silent" in sys.argv else lines)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
