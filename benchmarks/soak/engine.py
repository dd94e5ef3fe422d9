"""A small UCI engine that keeps a log of what it answered: `python engine.py --log FILE`.

It takes what it can capture, else a move that depends on the position alone, and uses its clock by sleeping, so that
many games at once cost little processor time. A line of the log stands for one search: time, process, whether it was
the first after `ucinewgame`, plies, key of the moves so far, move.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
import zlib
from pathlib import Path

import chess

VALUES = (0, 1, 3, 3, 5, 9, 0)
SHARE = 80
MOST_S = 0.6


def pick(board: chess.Board, key: int) -> chess.Move:
    """The best capture or promotion; without one, a move drawn by the key."""
    moves = list(board.legal_moves)
    gains = [VALUES[board.piece_type_at(move.to_square) or 0] + VALUES[move.promotion or 0] for move in moves]
    best = max(gains)
    if best > 0:
        return moves[gains.index(best)]
    return moves[key % len(moves)]


class LoggingEngine:
    """State of the conversation; `log` is a descriptor opened to append."""

    def __init__(self, log: int, most_s: float) -> None:
        self.log, self.most_s = log, most_s
        self.chess960 = False
        self.first = True
        self.board, self.start, self.key = chess.Board(), "", 0
        self.moves: list[str] = []
        self.stop = threading.Event()
        self.searching: threading.Thread | None = None

    def handle(self, line: str) -> None:
        """Carry out one command; what is not known is passed over."""
        words = line.split()
        match words[:1]:
            case ["uci"]:
                say("id name Soak\nid author bot88\noption name UCI_Chess960 type check default false")
                say("option name Threads type spin default 1 min 1 max 1\nuciok")
            case ["isready"]:
                say("readyok")
            case ["setoption"] if words[2:3] == ["UCI_Chess960"]:
                self.chess960 = words[-1] == "true"
            case ["ucinewgame"]:
                self.first = True
            case ["position"]:
                self.set_position(words[1:])
            case ["go"]:
                self.go(words[1:])
            case ["stop"] | ["ponderhit"]:
                self.stop.set()
            case ["quit"]:
                sys.exit(0)

    def set_position(self, words: list[str]) -> None:
        """Take `startpos` or `fen ...` with moves; only new moves are played if it continues the last one."""
        cut = words.index("moves") if "moves" in words else len(words)
        start, moves = " ".join(words[:cut]) + str(self.chess960), words[cut + 1 :]
        if start != self.start or moves[: len(self.moves)] != self.moves:
            fen = chess.STARTING_FEN if words[0] == "startpos" else " ".join(words[1:cut])
            self.board, self.start, self.moves, self.key = chess.Board(fen, chess960=self.chess960), start, [], 0
        for uci in moves[len(self.moves) :]:
            self.board.push_uci(uci)
            self.key = zlib.crc32(f" {uci}".encode(), self.key)
        self.moves = moves

    def go(self, words: list[str]) -> None:
        """Search in a thread, so that `stop` and `isready` are heard."""
        if self.searching is not None:
            self.searching.join()
        self.stop.clear()
        self.searching = threading.Thread(target=self.search, args=(self.think_s(words),), daemon=True)
        self.searching.start()

    def think_s(self, words: list[str]) -> float:
        """A share of the clock that differs from move to move, a second at most; 0 without a clock."""
        name = "wtime" if self.board.turn == chess.WHITE else "btime"
        if name not in words:
            return 0.0
        share = int(words[words.index(name) + 1]) / 1000 / SHARE
        return min(share, self.most_s) * (self.key % 1000) / 500

    def search(self, think_s: float) -> None:
        """Sleep, log, answer: the log has the line before the bot can have the move."""
        self.stop.wait(think_s)
        move = "0000" if self.board.is_game_over() else self.board.uci(pick(self.board, self.key))
        kind, self.first = "first" if self.first else "next", False
        line = f"{time.monotonic():.3f} {os.getpid()} {kind} {len(self.moves)} {self.key} {move}\n"
        os.write(self.log, line.encode())
        say(f"info depth 1 score cp 0 nodes 1 time {int(think_s * 1000)} pv {move}\nbestmove {move}")


def say(text: str) -> None:
    """Write lines out, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    """Read commands until the end of input."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--most-s", type=float, default=MOST_S, help="bound of the mean time for a move")
    options = parser.parse_args()
    engine = LoggingEngine(os.open(options.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), options.most_s)
    for line in sys.stdin:
        engine.handle(line)


if __name__ == "__main__":
    main()
