"""What posting a move costs the client: `python -m benchmarks.post_move [MOVES]`, against a bare socket on loopback.

Prints processor time of the posting thread and wall time a move, beside an ordinary request over the same session.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable

from bot.lichess import Gateway
from tests.helpers.wire import OK, Wire


def answer_all(wire: Wire, connection: socket.socket) -> None:
    """Say yes to everything."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while wire.read_request(connection):
        connection.sendall(OK)


def cost_ms(call: Callable[[], object], times: int) -> tuple[float, float]:
    """Processor and wall time of one call, the best of five rounds."""
    rounds = []
    for _ in range(5):
        cpu, wall = time.thread_time(), time.perf_counter()
        for _ in range(times):
            call()
        rounds.append(((time.thread_time() - cpu) / times * 1000, (time.perf_counter() - wall) / times * 1000))
    return min(rounds)


def main() -> None:
    """Measure and print."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with Wire(answer_all) as wire:
        gateway = Gateway(wire.url, "lip_benchmark")
        gateway.post_move("abcdefgh", "e2e4")
        for name, call in {
            "post_move": lambda: gateway.post_move("abcdefgh", "e2e4"),
            "an ordinary request": lambda: gateway.draw("abcdefgh", accept=False),
        }.items():
            cpu_ms, wall_ms = cost_ms(call, times)
            print(f"{name}: {cpu_ms:.3f} ms processor time, {wall_ms:.3f} ms round trip")
        gateway.close()


if __name__ == "__main__":
    main()
