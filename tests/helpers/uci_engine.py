"""A small UCI engine for tests, well-behaved or not: `python uci_engine.py BEHAVIOUR [--once FILE] [--think-ms N] ...`.

It plays the first legal move (python-chess order). Behaviours, at `go`:
good, think (answers after --think-ms or at `stop`, also on ponder), crash, hang (reads nothing more), ignore-stop
(answers isready), garbage (endless nonsense), long-line, flood (endless info lines), illegal (e1e5), none (no move),
empty (`bestmove` alone), load (the first search, which is the warm-up, reads nothing for --think-ms), load-in-game (the
first search of each game does so), busy (burns processor time for --think-ms without reading). At start: no-start
(exits at once), silent (never answers `uci`), load-at-new-game (`ucinewgame` reads nothing for --think-ms).
With --once FILE only the first process that gets there misbehaves (it creates FILE), the others are good.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from pathlib import Path

import chess

BAD = {"crash", "hang", "ignore-stop", "garbage", "long-line", "flood", "illegal", "none", "empty", "busy"}


def say(text: str) -> None:
    """One line out, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class TinyEngine:
    """State of the conversation."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.board = chess.Board()
        self.stop = threading.Event()
        self.thinking: threading.Thread | None = None
        self.pondering = False
        self.games = 0
        self.loaded = False

    def behaviour(self) -> str:
        """What to do at this `go`."""
        wanted: str = self.options.behaviour
        if wanted not in BAD:
            return wanted
        if self.options.good_moves > 0:
            self.options.good_moves -= 1
            return "good"
        if self.options.once:
            try:
                Path(self.options.once).touch(exist_ok=False)
            except FileExistsError:
                return "good"
        return wanted

    def handle(self, line: str) -> None:
        """One command."""
        words = line.split()
        command = words[0] if words else ""
        if self.options.log:
            with Path(self.options.log).open("a") as log:
                log.write(f"{time.monotonic():.6f} {os.getpid()} {line}\n")
        if command == "uci":
            say("id name Tiny\nid author tests\noption name Hash type spin default 16 min 1 max 64")
            say("option name Threads type spin default 1 min 1 max 4\noption name Clear type button")
            if self.options.levels:
                say("option name UCI_LimitStrength type check default false")
                say("option name UCI_Elo type spin default 2000 min 1000 max 2200")
            say("option name Ponder type check default false\noption name UCI_Chess960 type check default false\nuciok")
        elif command == "isready":
            say("readyok")
        elif command == "ucinewgame":
            self.new_game()
        elif command == "position":
            self.position(words[1:])
        elif command == "go":
            self.go(words)
        elif command == "stop" and self.options.behaviour != "ignore-stop":
            self.stop.set()
        elif command == "ponderhit":
            self.pondering = False
            self.stop.set()
        elif command == "quit":
            sys.exit(0)

    def position(self, words: list[str]) -> None:
        """`startpos` or `fen`, then moves."""
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        head = words[: words.index("moves")] if "moves" in words else words
        self.board = chess.Board() if head[0] == "startpos" else chess.Board(" ".join(head[1:]), chess960=False)
        for move in moves:
            self.board.push_uci(move)

    def new_game(self) -> None:
        """Another game; the first is the warm-up."""
        self.games += 1
        if self.options.behaviour == "load-at-new-game" and self.games > 1:
            self.load()
        if self.options.behaviour == "load-in-game":
            self.loaded = self.games == 1

    def load(self) -> None:
        """Read a network, so to speak: hear nothing, use no processor time."""
        time.sleep(self.options.think_ms / 1000)
        self.loaded = True

    def go(self, words: list[str]) -> None:
        """Behave."""
        if self.options.behaviour in ("load", "load-in-game") and not self.loaded:
            self.load()
        if self.games < 2 or self.options.behaviour.startswith("load"):  # the warm-up
            self.answer()
            return
        behaviour = self.behaviour()
        if behaviour == "good" and "ponder" not in words:
            self.answer()
        elif behaviour in ("good", "think", "echo"):
            self.think(float("inf") if "ponder" in words else self.options.think_ms / 1000)
        else:
            self.misbehave(behaviour)

    def think(self, seconds: float) -> None:
        """Answer later, from another thread, so that isready and stop are heard."""
        if self.thinking is not None:
            self.thinking.join()
        self.stop.clear()

        def work() -> None:
            self.stop.wait(None if seconds == float("inf") else seconds)
            self.answer()

        self.thinking = threading.Thread(target=work, daemon=True)
        self.thinking.start()

    def misbehave(self, behaviour: str) -> None:
        """The bad ones."""
        if behaviour == "crash":
            os._exit(3)
        elif behaviour == "hang":
            while True:
                time.sleep(3600)
        elif behaviour == "garbage":
            while True:
                say("blah \x07 bestmov e2e4e4 blubb")
        elif behaviour == "flood":
            while True:
                sys.stdout.write("info depth 1 score cp 1 pv e2e4\n" * 1000)
        elif behaviour == "long-line":
            sys.stdout.write("info string " + "x" * 200_000)
            sys.stdout.flush()
        elif behaviour == "illegal":
            say("bestmove e1e5")
        elif behaviour == "empty":
            say("bestmove")
        elif behaviour == "busy":
            end = time.monotonic() + self.options.think_ms / 1000
            while time.monotonic() < end:
                pass
            self.answer()
        elif behaviour == "none":
            say("bestmove (none)")

    def answer(self) -> None:
        """The first legal move, and the first reply to it as the move to ponder."""
        moves = list(self.board.legal_moves)
        if not moves:
            say("bestmove (none)")
            return
        after = self.board.copy(stack=False)
        after.push(moves[0])
        reply = next(iter(after.legal_moves), None)
        say(f"info depth 7 seldepth 9 score cp 33 nodes 1000 nps 100000 time 10 hashfull 5 pv {moves[0].uci()}")
        say(f"bestmove {moves[0].uci()}" + (f" ponder {reply.uci()}" if reply else ""))


def main() -> None:
    """Read commands until the end of input."""
    parser = argparse.ArgumentParser()
    parser.add_argument("behaviour")
    parser.add_argument("--once")
    parser.add_argument("--log")
    parser.add_argument("--think-ms", type=float, default=100.0)
    parser.add_argument("--levels", action="store_true", help="offer UCI_LimitStrength and UCI_Elo, 1000 to 2200")
    parser.add_argument("--good-moves", type=int, default=0, help="good moves before the bad behaviour")
    options = parser.parse_args()
    if options.behaviour == "no-start":
        sys.exit("engine: licence file missing")
    engine = TinyEngine(options)
    for line in sys.stdin:
        if options.behaviour != "silent":
            engine.handle(line.strip())


if __name__ == "__main__":
    main()
