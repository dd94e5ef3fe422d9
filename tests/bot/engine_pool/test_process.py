"""One engine process on its own: started, prepared, searching, ended; with real processes of the tiny engine."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool.options import ProcessShare
from bot.engine_pool.process import EngineProcess, legal_bestmove
from bot.engine_pool.values import IllegalMove, Requirement
from bot.errors import EngineDied, EngineError, EngineStartError, EngineTimeout
from bot.settings import EngineEntry
from tests.helpers.engines import tiny_entry
from tests.helpers.processes import is_running, wait_until

LONG = Limit(white_clock=600.0, black_clock=600.0)


def run(entry: EngineEntry, story: Callable[[EngineProcess], Awaitable[None]]) -> list[EngineProcess]:
    """Start the engine, let the story go on, and end it; gives every process that was spawned."""
    spawned: list[EngineProcess] = []

    async def whole() -> None:
        try:
            await story(await EngineProcess.start(entry, ProcessShare(), spawned.append))
        finally:
            for process in spawned:
                await process.quit()

    asyncio.run(whole())
    return spawned


def commands(log: Path) -> list[str]:
    """What the engine received, in order."""
    return [line.split(" ", 2)[2].strip() for line in log.read_text(encoding="utf-8").splitlines()]


async def nothing(_process: EngineProcess) -> None:
    """A story without events."""


def test_a_start_ends_after_a_first_search(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def story(process: EngineProcess) -> None:
        told = commands(log)
        assert told[0] == "uci"
        assert any(command.startswith("go ") for command in told)
        assert (process.games, process.failure, is_running(process.pid)) == (0, None, True)

    (process,) = run(tiny_entry("good", "--log", str(log)), story)
    assert wait_until(lambda: not is_running(process.pid))


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (tiny_entry("no-start", name="unlicensed"), "licence file missing"),
        (tiny_entry("silent").model_copy(update={"start_timeout_s": 1.0}), "did not get ready in 1 s"),
        pytest.param(
            tiny_entry("load", "--think-ms", "600000").model_copy(update={"start_timeout_s": 15.0}),
            "did not finish its first search in 15 s",
            marks=pytest.mark.slow,
        ),
        (
            EngineEntry(name="absent", command=("/nonexistent/engine",)),
            "cannot start '/nonexistent/engine': No such file or directory: try the command by hand",
        ),
        (
            tiny_entry(options={"Hsah": 1}),
            'tiny: this engine has no option Hsah; did you mean "Hash"? Correct or remove it under `options` ',
        ),
    ],
    ids=["ends at once", "says nothing", "searches for long", "is not there", "lacks an option"],
)
def test_a_failed_start_tells_why_and_leaves_no_process(entry: EngineEntry, reason: str) -> None:
    spawned: list[EngineProcess] = []

    async def story() -> None:
        with pytest.raises(EngineStartError) as raised:
            await EngineProcess.start(entry, ProcessShare(), spawned.append)
        assert reason in str(raised.value)
        assert entry.name in str(raised.value)
        for process in spawned:
            assert isinstance(process.failure, EngineError)
            await process.quit()

    asyncio.run(story())
    assert wait_until(lambda: not any(is_running(process.pid) for process in spawned))


def test_a_working_folder_that_is_not_there_fails_the_start() -> None:
    entry = tiny_entry().model_copy(update={"working_dir": Path("/nonexistent")})
    with pytest.raises(EngineStartError, match="tiny"):
        run(entry, nothing)


def test_each_game_gets_its_options_and_the_next_one_the_defaults_again(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def story(process: EngineProcess) -> None:
        await process.prepare({"Hash": 32, "NoSuchOption": 1})
        assert process.games == 1
        assert commands(log)[-3:] == ["setoption name Hash value 32", "ucinewgame", "isready"]
        await process.prepare({})
        assert process.games == 2
        assert "setoption name Hash value 16" in commands(log)[-3:]

    run(tiny_entry("good", "--log", str(log)), story)


def test_an_option_that_a_game_spells_its_own_way_is_set_back_too(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def story(process: EngineProcess) -> None:
        await process.prepare({"hash": 32})
        await process.prepare({})
        told = [command.lower() for command in commands(log) if "hash" in command.lower()]
        assert told == ["setoption name hash value 32", "setoption name hash value 16"]

    run(tiny_entry("good", "--log", str(log)), story)


def test_a_search_gives_the_move_at_once() -> None:
    moves: list[chess.Move] = []

    async def story(process: EngineProcess) -> None:
        await process.prepare({})
        await process.search(chess.Board(), LONG, False, moves.append)
        assert process.health.clock_s is None

    run(tiny_entry(), story)
    assert [move in chess.Board().legal_moves for move in moves] == [True]


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [("illegal", IllegalMove), ("none", IllegalMove), ("crash", EngineDied)],
)
def test_a_bad_answer_is_an_error_of_ours_and_no_move(behaviour: str, error: type[EngineError]) -> None:
    moves: list[chess.Move] = []

    async def story(process: EngineProcess) -> None:
        await process.prepare({})
        with pytest.raises(error):
            await process.search(chess.Board(), LONG, False, moves.append)

    run(tiny_entry(behaviour), story)
    assert moves == []


def test_a_cancelled_search_is_stopped_and_the_process_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def story(process: EngineProcess) -> None:
        await process.prepare({})
        known = len(commands(log))
        search = asyncio.create_task(process.search(chess.Board(), LONG, False, lambda *_moves: None))
        while not any(command.startswith("go") for command in commands(log)[known:]):
            await asyncio.sleep(0.01)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        await process.wait_until_idle()
        assert "stop" in commands(log)[known:]
        assert process.failure is None

    run(tiny_entry("think", "--think-ms", "600000", "--log", str(log)), story)


def test_a_process_that_does_not_get_idle_is_given_up_and_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.engine_pool.process.IDLE_TIMEOUT_S", 0.5)

    async def story(process: EngineProcess) -> None:
        await process.prepare({})
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(EngineTimeout, match=r"the end of a search took more than 0\.5 s"):
            await process.wait_until_idle()
        assert isinstance(process.failure, EngineTimeout)

    (process,) = run(tiny_entry(), story)
    assert wait_until(lambda: not is_running(process.pid))


def test_a_preparation_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.engine_pool.process.PREPARE_TIMEOUT_S", 0.5)

    async def story(process: EngineProcess) -> None:
        with pytest.raises(EngineTimeout, match="the preparation of a game"):
            await process.prepare({})
        assert process.games == 0

    run(tiny_entry("load-at-new-game", "--think-ms", "600000"), story)


def test_an_idle_process_that_dies_reports_itself() -> None:
    async def story(process: EngineProcess) -> None:
        died: asyncio.Queue[EngineProcess] = asyncio.Queue()
        process.on_failed = died.put_nowait
        os.kill(process.pid, signal.SIGKILL)
        assert await died.get() is process
        assert isinstance(process.failure, EngineDied)

    run(tiny_entry(), story)


def test_quit_ends_even_a_stopped_process_and_may_be_called_twice() -> None:
    async def story(process: EngineProcess) -> None:
        os.kill(process.pid, signal.SIGSTOP)
        await process.quit()
        assert wait_until(lambda: not is_running(process.pid))
        assert isinstance(process.failure, EngineDied)
        await process.quit()

    run(tiny_entry(), story)


def test_quit_asks_before_it_kills(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run(tiny_entry("good", "--log", str(log)), nothing)
    assert commands(log)[-1] == "quit"


@pytest.mark.parametrize(
    ("requirement", "supported"),
    [
        (Requirement(), True),
        (Requirement(chess960=True), True),
        (Requirement(variant="atomic"), False),
    ],
)
def test_a_process_supports_what_its_engine_announces(requirement: Requirement, supported: bool) -> None:
    async def story(process: EngineProcess) -> None:
        assert process.supports(requirement) is supported

    run(tiny_entry(), story)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bestmove e2e4", "e2e4"),
        ("bestmove E2E4 ponder E7E5", "e2e4"),
        ("bestmove e2e4 ponder (none)", "e2e4"),
        ("bestmove", None),
        ("bestmove (none)", None),
        ("bestmove 0000", None),
        ("bestmove e1e5", None),
        ("bestmove e2e4e4", None),
    ],
)
def test_only_a_legal_bestmove_counts(line: str, move: str | None) -> None:
    found = legal_bestmove(chess.Board(), line.split())
    assert (found and found.uci()) == move
