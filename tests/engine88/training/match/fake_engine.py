"""A UCI engine for tests, in one file: plays the first legal move by python-chess, or misbehaves as configured.

    python fake_engine.py [best|crash|silent|illegal|slow] [MARKER]

`best` takes mates in one and the dearest piece; with a marker file the misbehaviour happens once only. Of its two
options it takes any value of `Hash` and refuses each of `Eval File` as engines do: in words of its own.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import chess

VALUES = {None: 0, chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


def gain(board: chess.Board, move: chess.Move) -> float:
    taken = VALUES[board.piece_type_at(move.to_square)] + VALUES[move.promotion]
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return 1000 if mate else taken


def choose(board: chess.Board, mode: str) -> chess.Move:
    moves = sorted(board.legal_moves, key=str)
    return max(moves, key=lambda move: gain(board, move)) if mode == "best" else moves[0]


def misbehaves(marker: list[str]) -> bool:
    if not marker:
        return True
    try:
        Path(marker[0]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def main() -> None:
    mode, marker = (sys.argv[1] if len(sys.argv) > 1 else "first"), sys.argv[2:]
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name fake\noption name Hash type spin default 16 min 1 max 64", flush=True)
            print("option name Eval File type string default <empty>\nuciok", flush=True)
        elif words[:2] == ["setoption", "name"]:
            if words[2] == "Eval":
                print(f"info string the terms play on, since Eval File cannot be used: {words[-1]}", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            board = chess.Board(" ".join(words[2:8]))
            for name in words[9:]:
                board.push_uci(name)
        elif words[:1] == ["go"]:
            if mode in ("crash", "silent", "illegal") and misbehaves(marker):
                if mode == "crash":
                    sys.exit(3)
                print("info string hm" if mode == "silent" else "bestmove a1a1", flush=True)
                continue
            if mode == "slow":
                time.sleep(1)
            print("info depth 7 score cp 12 nodes 1\nbestmove", choose(board, mode), flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
