"""As much of Lichess as the latency benchmark needs, on raw sockets, with time stamps of lines and moves.

`python latency_server.py GAMES_FILE LOG_FILE PAUSE_MS`: prints its port, then plays White of all recorded games at
once, each reply PAUSE_MS (scattered by half) after the move. Ends when all games have ended.
"""

from __future__ import annotations

import json
import random
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

ME, OTHER = "bot88", "opponent"
CLOCK_MS = 10_800_000


class Board:
    """One game: how far it has come, who streams it."""

    def __init__(self, game_id: str, moves: list[str]) -> None:
        self.game_id = game_id
        self.moves = moves
        self.shown = 1
        self.stream: socket.socket | None = None
        self.lock = threading.Lock()
        self.over = threading.Event()

    def state(self) -> dict[str, Any]:
        """The present gameState."""
        over = self.shown >= len(self.moves)
        return {
            "type": "gameState",
            "moves": " ".join(self.moves[: self.shown]),
            "wtime": CLOCK_MS,
            "btime": CLOCK_MS,
            "winc": 0,
            "binc": 0,
            "status": "draw" if over else "started",
        }

    def full(self) -> dict[str, Any]:
        """The first line of a stream."""
        variant = {"key": "standard", "name": "Standard", "short": "Std"}
        players = {"white": {"id": OTHER, "name": OTHER}, "black": {"id": ME, "name": ME, "title": "BOT"}}
        clock = {"initial": CLOCK_MS, "increment": 0}
        head = {"type": "gameFull", "id": self.game_id, "variant": variant, "speed": "classical", "rated": False}
        return {**head, **players, "clock": clock, "initialFen": "startpos", "state": self.state()}


class Server:
    """Threads over sockets: one a connection."""

    def __init__(self, games: list[list[str]], pause_s: float, log: Path) -> None:
        self.boards = {f"game{moves[0]}": Board(f"game{moves[0]}", moves) for moves in games}
        self.pause_s = pause_s
        self.log = log
        self.lines: list[str] = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def serve(self) -> None:
        """Accept until the process ends."""
        while True:
            connection, _ = self.listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        """All requests of one connection."""
        data = b""
        while True:
            while b"\r\n\r\n" not in data:
                chunk = connection.recv(65536)
                if not chunk:
                    return
                data += chunk
            came_s = time.monotonic()
            head, data = data.split(b"\r\n\r\n", 1)
            path = head.split(b" ", 2)[1].decode().split("?")[0]
            if "/stream" in path:
                self.stream(path, connection)
                return
            self.answer(path, connection, came_s)

    def answer(self, path: str, connection: socket.socket, came_s: float) -> None:
        """A request that is not a stream; only moves matter."""
        words = path.strip("/").split("/")
        if "move" in words:
            board = self.boards[words[3]]
            self.lines.append(f"post {board.game_id} {board.shown} {came_s!r}")
            threading.Thread(target=self.go_on, args=(board,), daemon=True).start()
        games = [self.info(board) for board in self.boards.values() if not board.over.is_set()]
        body = json.dumps({"nowPlaying": games} if "playing" in words else {"ok": True}).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)

    def info(self, board: Board) -> dict[str, Any]:
        """A game in lists and events."""
        opponent = {"id": OTHER, "username": OTHER, "rating": 1500}
        return {"gameId": board.game_id, "color": "black", "opponent": opponent, "speed": "classical"}

    def stream(self, path: str, connection: socket.socket) -> None:
        """Answer with a stream that stays open."""
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head)
        if path.endswith("/event"):
            for board in self.boards.values():
                send(connection, {"type": "gameStart", "game": self.info(board)})
            return
        board = self.boards[path.rsplit("/", 1)[1]]
        board.stream = connection
        self.lines.append(f"line {board.game_id} {board.shown} {time.monotonic()!r}")
        send(connection, board.full())

    def go_on(self, board: Board) -> None:
        """Show the move that came, pause, make the reply."""
        with board.lock:
            board.shown += 1
            self.show(board)
            time.sleep(self.pause_s * random.uniform(0.5, 1.5))
            board.shown += 1
            self.show(board)

    def show(self, board: Board) -> None:
        """Send the state; the last one ends the game."""
        assert board.stream is not None
        state = board.state()
        self.lines.append(f"line {board.game_id} {board.shown} {time.monotonic()!r}")
        send(board.stream, state)
        if state["status"] != "started" and not board.over.is_set():
            board.stream.sendall(b"0\r\n\r\n")
            board.over.set()


def send(connection: socket.socket, line: dict[str, Any]) -> None:
    """One line as one chunk."""
    data = json.dumps(line).encode() + b"\n"
    connection.sendall(b"%x\r\n%b\r\n" % (len(data), data))


def main() -> None:
    """Serve until all games are over, then write the log."""
    games = [line.split() for line in Path(sys.argv[1]).read_text().splitlines()]
    server = Server(games, float(sys.argv[3]) / 1000, Path(sys.argv[2]))
    print(server.listener.getsockname()[1], flush=True)
    threading.Thread(target=server.serve, daemon=True).start()
    for board in server.boards.values():
        board.over.wait()
    server.log.write_text("\n".join(server.lines) + "\n")
    print("done", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
