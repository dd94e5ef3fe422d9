"""What goes over an engine's pipe, turn by turn of the loop: which `go` is the question's and which was given up."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import chess
from chess.engine import Limit

from bot.engine_pool.protocol import WatchedUci

LONG = Limit(white_clock=600.0, black_clock=600.0)


class Pipes:
    """In place of a process: keeps what is written to it."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def get_pid(self) -> int:
        return 0

    def get_pipe_transport(self, _fd: int) -> Pipes:
        return self

    def write(self, data: bytes) -> None:
        self.lines += data.decode().splitlines()


async def turns() -> None:
    """Let everything happen that can happen without another word of the engine."""
    for _ in range(5):
        await asyncio.sleep(0)


async def connected() -> tuple[WatchedUci, Pipes, Any]:
    """An engine that has greeted, its pipes, and a function by which it speaks."""
    protocol, pipes = WatchedUci(), Pipes()
    protocol.connection_made(pipes)  # type: ignore[arg-type]  # the part of a transport that is used

    def say(line: str) -> None:
        protocol.pipe_data_received(1, f"{line}\n".encode())

    greeting = asyncio.ensure_future(protocol.initialize())
    await turns()
    say("uciok")
    await greeting
    protocol.begin_game(object())
    pipes.lines.clear()
    return protocol, pipes, say


async def _ask_after_two_given_up() -> None:
    protocol, pipes, say = await connected()
    answers: list[list[str]] = []

    def ask() -> asyncio.Task[Any]:
        protocol.expect(answers.append)
        return asyncio.ensure_future(protocol.play(chess.Board(), LONG, game=protocol.game))

    thinking = ask()
    await turns()
    waiting = ask()  # for the first to end
    await turns()
    waiting.cancel()
    wanted = ask()
    protocol.stop_search()
    say("bestmove a2a3")  # at which python-chess begins the second, although nobody wants it any more
    await turns()
    say("bestmove b2b3")
    await turns()
    assert answers == []
    say("bestmove c2c3")
    assert answers == [["bestmove", "c2c3"]]
    assert (await wanted).move == chess.Move.from_uci("c2c3")
    assert thinking.cancelled()
    words = [line.split()[0] for line in pipes.lines if line != "position startpos"]
    assert [word for word, _ in itertools.groupby(words)] == ["go", "stop", "go", "stop", "go", "stop"]


def test_the_answer_to_a_question_given_up_is_nobodys_and_every_stop_has_its_go() -> None:
    asyncio.run(_ask_after_two_given_up())
