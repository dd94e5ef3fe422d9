"""Which move answers which search, when `stop` is sent, and what is not UCI at all; over fake pipes."""

from __future__ import annotations

import asyncio
from typing import Any

import chess
from structlog.typing import EventDict

from bot.engine_pool.protocol import MAX_LINE_BYTES, MonitoredUci
from tests.bot.engine_pool.test_protocol import LONG, Pipes, connected, turns

AFTER_E4_D5 = chess.Board("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")


def play(protocol: MonitoredUci, board: chess.Board, *, ponder: bool = False) -> asyncio.Task[Any]:
    """Ask for a move, as a process does."""
    return asyncio.ensure_future(protocol.play(board, LONG, game=protocol.game, ponder=ponder))


def words(pipes: Pipes) -> list[str]:
    """What the engine received since the last time, first words alone."""
    told = [line.split()[0] for line in pipes.lines]
    pipes.lines.clear()
    return told


async def pondering() -> tuple[MonitoredUci, Pipes, Any]:
    """An engine that has played e2e4 and thinks on while it expects e7e5."""
    protocol, pipes, say = await connected()
    protocol.begin_search(lambda _words: None)
    search = play(protocol, chess.Board(), ponder=True)
    await turns()
    say("bestmove e2e4 ponder e7e5")
    await search
    await turns()
    assert [line for line in pipes.lines if line.startswith("go ponder")]
    pipes.lines.clear()
    return protocol, pipes, say


def test_the_move_that_ends_pondering_is_no_answer_even_if_the_engine_was_probed() -> None:
    async def story() -> None:
        protocol, pipes, say = await pondering()
        answers: list[list[str]] = []
        protocol.begin_search(answers.append)
        search = play(protocol, AFTER_E4_D5)
        await turns()
        assert words(pipes) == ["stop"]
        protocol.probe()
        say("readyok")
        say("bestmove g1f3")
        assert answers == []
        await turns()
        assert words(pipes)[-1] == "go"
        say("bestmove e4d5")
        assert answers == [["bestmove", "e4d5"]]
        assert (await search).move == chess.Move.from_uci("e4d5")

    asyncio.run(story())


def test_after_the_expected_move_the_engine_answers_from_what_it_has_thought() -> None:
    async def story() -> None:
        protocol, pipes, say = await pondering()
        answers: list[list[str]] = []
        protocol.begin_search(answers.append)
        board = chess.Board()
        for uci in ("e2e4", "e7e5"):
            board.push_uci(uci)
        search = play(protocol, board, ponder=True)
        await turns()
        assert words(pipes) == ["ponderhit"]
        say("bestmove g1f3")
        assert answers == [["bestmove", "g1f3"]]
        assert (await search).move == chess.Move.from_uci("g1f3")

    asyncio.run(story())


def test_a_probe_and_a_question_of_python_chess_are_answered_each() -> None:
    async def story() -> None:
        protocol, pipes, say = await connected()
        ping = asyncio.ensure_future(protocol.ping())
        await turns()
        say("readyok")
        await turns()
        assert ping.done()
        search = play(protocol, chess.Board())
        await turns()
        protocol.probe()
        say("id name Late")
        assert (protocol.probe_sent_at is None, protocol.answers_probes) == (False, False)
        say("readyok")
        assert (protocol.probe_sent_at, protocol.answers_probes) == (None, True)
        search.cancel()
        assert words(pipes)[0] == "isready"

    asyncio.run(story())


def test_a_stop_before_the_search_has_begun_follows_its_go() -> None:
    async def story() -> None:
        protocol, pipes, say = await pondering()
        protocol.begin_search(lambda _words: None)
        protocol.stop_search()
        assert words(pipes) == []  # what runs is not the search that is to be stopped
        search = play(protocol, AFTER_E4_D5)
        await turns()
        assert words(pipes) == ["stop"]
        say("bestmove g1f3")
        await turns()
        assert words(pipes)[-2:] == ["go", "stop"]
        say("bestmove e4d5")
        await search
        protocol.stop_search()
        assert words(pipes) == []  # nothing runs

    asyncio.run(story())


def test_what_is_written_to_stderr_is_kept_and_is_nothing_else(logs: list[EventDict]) -> None:
    async def story() -> MonitoredUci:
        protocol, _, _ = await connected()
        answers: list[list[str]] = []
        protocol.begin_search(answers.append)
        search = play(protocol, chess.Board())
        await turns()
        last_output_at = protocol.last_output_at
        protocol.pipe_data_received(2, b"\n".join([b"bestmove e2e4"] * 200) + b"\n")
        assert (answers, protocol.failure, protocol.last_output_at) == ([], None, last_output_at)
        search.cancel()
        return protocol

    assert list(asyncio.run(story()).recent_output) == ["bestmove e2e4"] * 5
    assert [line["event"] for line in logs] == ["engine_stderr"] * 5


def test_an_endless_line_on_stderr_is_dropped() -> None:
    async def after(size: int) -> list[str]:
        protocol, _, _ = await connected()
        protocol.pipe_data_received(2, b"x" * size)
        protocol.pipe_data_received(2, b"end\n")
        return list(protocol.recent_output)

    assert asyncio.run(after(MAX_LINE_BYTES)) == ["x" * 200]
    assert asyncio.run(after(MAX_LINE_BYTES + 1)) == ["end"]


def test_a_variation_of_hundreds_of_moves_is_a_line_like_any_other() -> None:
    async def story() -> MonitoredUci:
        protocol, _, say = await connected()
        line = "info depth 99 score cp 0 pv" + " a7a8q" * 1000
        protocol.pipe_data_received(1, line[:5000].encode())
        say(line[5000:])
        assert protocol.info_line == line
        return protocol

    assert asyncio.run(story()).failure is None
