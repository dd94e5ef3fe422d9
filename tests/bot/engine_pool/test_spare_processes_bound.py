"""Never more processes than slots and spares, whatever comes at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import EngineError, EngineStartError
from tests.helpers import fake_processes
from tests.helpers.fake_processes import Bench, run


def test_a_game_that_waits_for_a_slow_start_counts_as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by benchmarks/soak: three games at once had two processes in reserve instead of one."""
    monkeypatch.setattr(fake_processes, "START_S", 2.0)

    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(5.0)
        await asyncio.gather(*(bench.take() for _ in range(3)))
        await asyncio.sleep(5.0)
        assert (bench.counts, len(bench.started)) == ((1, 3, 0), 4)

    run(story, monkeypatch, slots=3, spares=1)


def test_a_process_that_is_about_to_be_idle_again_counts_as_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(5.0)
        process = await bench.take()
        process.settling_s = 1.0
        bench.spares.release(process)  # type: ignore[arg-type]  # made up
        await bench.take()
        await asyncio.sleep(5.0)
        assert (bench.counts, len(bench.started)) == ((1, 1, 0), 2)

    run(story, monkeypatch, slots=1, spares=1)


@pytest.mark.parametrize("on_demand", [True, False])
def test_a_process_that_nobody_wants_is_ended_without_waiting_for_its_search(
    on_demand: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(bench: Bench) -> None:
        processes = [await bench.take() for _ in range(2)]
        await asyncio.sleep(5.0)
        processes[0].settling_s = 100.0
        bench.spares.release(processes[0])  # type: ignore[arg-type]  # made up
        await asyncio.sleep(1.0)
        assert processes[0].ended

    run(story, monkeypatch, slots=1, spares=0, on_demand=on_demand)


def test_a_process_started_while_others_settle_sends_one_of_them_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by benchmarks/soak: two games ended and two began within half a second, and a tenth of nine stayed."""

    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(5.0)
        first, second = await bench.take(), await bench.take()
        await asyncio.sleep(5.0)
        assert bench.counts == (1, 2, 0)
        for process in (first, second):
            process.settling_s = 1.0
            bench.spares.release(process)  # type: ignore[arg-type]  # made up
            await bench.take()
        await asyncio.sleep(5.0)
        assert bench.counts == (1, 2, 0)
        assert sum(process.ended for process in bench.started) == len(bench.started) - 3

    run(story, monkeypatch, slots=2, spares=1)


@pytest.mark.parametrize("errors", [[], [EngineStartError("no licence")]])
def test_a_game_that_ends_as_its_process_arrives_leaves_it_idle(
    errors: list[EngineError], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(bench: Bench) -> None:
        bench.errors = [*errors]
        bench.spares.refill()
        (start,) = bench.spares._starting
        start.add_done_callback(lambda _: waiting.cancel())
        waiting = asyncio.ensure_future(bench.take())
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.sleep(5.0)
        assert bench.counts == (1, 0, 0)
        assert len(bench.started) == 1 + len(errors)

    run(story, monkeypatch, spares=0)
