"""What goes over an engine's pipes, one iteration of the loop at a time; limits on what an engine may write."""

from __future__ import annotations

import asyncio
import itertools
import types
from typing import Any

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool.protocol import MAX_LINE_BYTES, MAX_LINES_PER_S, MAX_UNKNOWN_LINES, MonitoredUci

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


async def connected() -> tuple[MonitoredUci, Pipes, Any]:
    """An engine that has greeted, its pipes, and a function by which it speaks."""
    protocol, pipes = MonitoredUci(), Pipes()
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


async def _search_after_two_cancelled_ones() -> None:
    protocol, pipes, say = await connected()
    answers: list[list[str]] = []

    def search() -> asyncio.Task[Any]:
        protocol.begin_search(answers.append)
        return asyncio.ensure_future(protocol.play(chess.Board(), LONG, game=protocol.game))

    thinking = search()
    await turns()
    waiting = search()  # for the first to end
    await turns()
    waiting.cancel()
    wanted = search()
    protocol.stop_search()
    say("bestmove a2a3")  # at which python-chess begins the second one, although it is cancelled
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


async def _failure_after(lines: str, *, searching: bool = True) -> str:
    protocol, _, say = await connected()
    protocol.searching = searching
    say(lines)
    return str(protocol.failure or "")


@pytest.mark.parametrize(("unknown", "fails"), [(MAX_UNKNOWN_LINES, False), (MAX_UNKNOWN_LINES + 1, True)])
def test_unknown_lines_are_limited(unknown: int, fails: bool) -> None:
    failure = asyncio.run(_failure_after("\n".join(["what is this"] * unknown)))
    assert failure == (f"{MAX_UNKNOWN_LINES + 1} lines that are not UCI, the last: 'what is this'" if fails else "")


def test_empty_lines_and_known_words_are_no_unknown_lines() -> None:
    lines = ["", "   ", "id name x", "info string hello", "copyprotection ok", "option name A type button"]
    assert asyncio.run(_failure_after("\n".join(lines * 100))) == ""


async def _unknown_lines_over_two_searches() -> MonitoredUci:
    protocol, _, say = await connected()
    for _ in range(2):
        search = asyncio.ensure_future(protocol.play(chess.Board(), LONG, game=protocol.game))
        await turns()
        say("\n".join(["what is this"] * MAX_UNKNOWN_LINES))
        say("bestmove e2e4")
        await search
    return protocol


def test_unknown_lines_are_counted_by_search() -> None:
    assert asyncio.run(_unknown_lines_over_two_searches()).failure is None


@pytest.mark.parametrize(
    ("bursts", "pause_s", "fails"),
    [
        ([MAX_LINES_PER_S - 1], 0.0, False),  # and `uciok` before
        ([MAX_LINES_PER_S], 0.0, True),
        ([MAX_LINES_PER_S - 1, MAX_LINES_PER_S], 1.1, False),
        ([MAX_LINES_PER_S - 1, MAX_LINES_PER_S + 1], 1.1, True),
        ([MAX_LINES_PER_S // 2, MAX_LINES_PER_S // 2], 0.9, True),
        ([MAX_LINES_PER_S - 1, 2], 1.0, True),
    ],
)
def test_the_rate_of_lines_is_limited(
    bursts: list[int], pause_s: float, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("bot.engine_pool.protocol.time", types.SimpleNamespace(monotonic=lambda: now[0]))

    async def flood() -> MonitoredUci:
        protocol, _, say = await connected()
        for lines in bursts:
            say("\n".join(["info depth 1"] * lines))
            now[0] += pause_s
        return protocol

    assert ("lines in a second" in str(asyncio.run(flood()).failure)) == fails


@pytest.mark.parametrize(("size", "fails"), [(MAX_LINE_BYTES - 1, False), (MAX_LINE_BYTES + 1, True)])
def test_the_length_of_a_line_is_limited(size: int, fails: bool) -> None:
    async def unfinished() -> MonitoredUci:
        protocol, _, _ = await connected()
        protocol.pipe_data_received(1, b"i" * size)
        return protocol

    assert ("a line of more than" in str(asyncio.run(unfinished()).failure)) == fails


def test_a_bestmove_without_a_search_is_an_unknown_line() -> None:
    async def unasked() -> MonitoredUci:
        protocol, _, say = await connected()
        say("bestmove e2e4")
        return protocol

    assert list(asyncio.run(unasked()).recent_output) == ["bestmove e2e4"]


def test_the_output_of_a_process_that_is_being_ended_is_dropped() -> None:
    async def ending() -> MonitoredUci:
        protocol, _, say = await connected()
        protocol.output_ignored = True
        say("what is this")
        protocol.pipe_data_received(2, b"and that\n")
        return protocol

    assert list(asyncio.run(ending()).recent_output) == []


def test_the_last_lines_on_stderr_are_kept_even_without_an_end_and_after_the_exit() -> None:
    async def dying() -> MonitoredUci:
        protocol, _, _ = await connected()
        protocol.process_exited()
        protocol.pipe_data_received(2, b"one\n\ntwo\nno such fi")
        protocol.pipe_data_received(2, b"le")
        protocol.pipe_connection_lost(1, None)
        assert not protocol.stderr_closed.is_set()
        protocol.pipe_connection_lost(2, None)
        await protocol.stderr_closed.wait()
        return protocol

    assert asyncio.run(dying()).output_tail() == "; its last output: one | two | no such file"


def test_long_lines_are_kept_in_part() -> None:
    async def verbose() -> MonitoredUci:
        protocol, _, say = await connected()
        say("x" * 300)
        protocol.pipe_data_received(2, b"y" * 300 + b"\n")
        for number in range(4):
            say(f"line {number}")
        return protocol

    kept = list(asyncio.run(verbose()).recent_output)
    assert kept == ["y" * 200, "line 0", "line 1", "line 2", "line 3"]  # the last five


async def _probed() -> tuple[list[str], list[bool]]:
    protocol, pipes, say = await connected()
    seen = []
    for line in ("info depth 1", "readyok", "readyok"):
        protocol.probe()
        protocol.probe()  # not again while one is unanswered
        say(line)
        seen.append(protocol.answers_probes)
    return pipes.lines, seen


def test_probes_are_sent_one_at_a_time_and_answers_noticed() -> None:
    assert asyncio.run(_probed()) == (["isready", "isready"], [False, True, True])


def test_the_move_of_a_cancelled_search_is_dropped_and_every_stop_follows_a_go() -> None:
    asyncio.run(_search_after_two_cancelled_ones())
