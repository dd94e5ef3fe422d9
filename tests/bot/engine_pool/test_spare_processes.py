"""How many processes an entry keeps, and what happens to each, on a fake clock and with processes made up."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from bot.engine_pool import spare_processes
from bot.engine_pool.spare_processes import MAX_GAMES_PER_PROCESS
from bot.errors import EngineDied, EngineError, EngineStartError
from tests.helpers import fake_processes
from tests.helpers.fake_processes import START_S, Bench, run


def test_warm_waits_for_one_process_and_starts_the_others_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        assert bench.counts == (1, 0, 2)
        await asyncio.sleep(1.0)
        assert bench.counts == (3, 0, 0)  # two spares and one for the free slot
        assert bench.reaper.groups == {1000, 1001, 1002}

    run(story, monkeypatch, slots=2, spares=2)


def test_a_process_taken_is_leased_and_replaced_a_moment_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(1.0)
        process = await bench.take()
        assert (process in bench.started, bench.counts) == (True, (2, 1, 0))
        await asyncio.sleep(spare_processes.REFILL_AFTER_S - 0.1)
        assert bench.counts == (2, 1, 0)  # the game that took it moves first
        await asyncio.sleep(0.2)
        assert bench.counts == (2, 1, 1)
        await asyncio.sleep(START_S)
        assert bench.counts == (3, 1, 0)

    run(story, monkeypatch, slots=2, spares=2)


def test_with_all_slots_taken_only_the_spares_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        for leased in (1, 2):
            await bench.take()
            await asyncio.sleep(5.0)
            assert bench.counts == (2 if leased == 1 else 1, leased, 0)
        assert len(bench.started) == 3

    run(story, monkeypatch, slots=2, spares=1)


def test_a_process_given_back_is_idle_again_and_none_too_many_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        processes = [await bench.take() for _ in range(4)]
        await asyncio.sleep(5.0)
        assert bench.counts == (1, 4, 0)
        bench.spares.release(processes.pop())  # type: ignore[arg-type]  # made up
        await asyncio.sleep(1.0)
        assert bench.counts == (1, 3, 0)  # there are as many as slots and spares without it
        for process in processes:
            bench.spares.release(process)  # type: ignore[arg-type]  # made up
            await asyncio.sleep(1.0)
        assert bench.counts == (3, 0, 0)  # slots and spares
        assert sum(process.ended for process in bench.started) == len(bench.started) - 3 == 2
        assert len(bench.reaper.groups) == 3

    run(story, monkeypatch, slots=2, spares=1)


def test_a_process_on_its_way_back_is_one_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no other one, the bot would be called unwell after each game."""

    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        process = await bench.take()
        bench.spares.release(process)  # type: ignore[arg-type]  # made up
        assert bench.spares.snapshot().pids == (process.pid,)
        await asyncio.sleep(1.0)
        assert (bench.spares.snapshot().pids, bench.counts) == ((process.pid,), (1, 0, 0))

    run(story, monkeypatch, slots=1, spares=0)


def test_of_processes_given_back_at_once_none_too_many_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        processes = await asyncio.gather(*(bench.take() for _ in range(6)))
        for process in processes:
            bench.spares.release(process)  # type: ignore[arg-type]  # made up
        await asyncio.sleep(5.0)
        assert bench.counts == (3, 0, 0)

    run(story, monkeypatch, slots=2, spares=1)


@pytest.mark.parametrize("reason", ["failed", "too many games", "stubborn"])
def test_a_process_that_is_no_longer_good_is_ended_and_replaced(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        process = await bench.take()
        if reason == "failed":
            process.failure = EngineDied("gone")
        process.games = MAX_GAMES_PER_PROCESS if reason == "too many games" else MAX_GAMES_PER_PROCESS - 1
        process.stubborn = reason == "stubborn"
        bench.spares.release(process)  # type: ignore[arg-type]  # made up
        await asyncio.sleep(5.0)
        assert process.ended
        assert process.pid not in bench.reaper.groups
        assert bench.counts == (2, 0, 0)
        assert bench.spares.replaced == (reason == "stubborn")

    run(story, monkeypatch)


def test_a_process_that_failed_in_a_game_is_counted_ended_and_replaced_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(1.0)
        process = await bench.take()
        bench.spares.retire(process, EngineDied("it crashed"))  # type: ignore[arg-type]  # made up
        assert bench.counts == (1, 0, 1)
        assert (bench.spares.replaced, bench.spares.last_error) == (1, "it crashed")
        assert bench.spares.snapshot().replaced == 1
        await asyncio.sleep(1.0)
        assert process.ended
        assert bench.counts == (2, 0, 0)

    run(story, monkeypatch)


def test_an_idle_process_that_fails_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(1.0)
        broken = bench.started[0]
        broken.failure = EngineDied("killed by somebody")
        assert bench.spares.has_idle
        assert broken.on_failed is not None
        broken.on_failed(broken)
        assert (bench.counts, bench.spares.has_idle) == ((1, 0, 0), True)
        assert "killed by somebody" in bench.spares.last_error
        await asyncio.sleep(1.0)
        assert broken.ended
        assert bench.counts == (2, 0, 0)

    run(story, monkeypatch)


def test_a_failed_process_among_the_idle_ones_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(1.0)
        bench.started[0].failure = EngineDied("gone")
        assert bench.spares.has_idle
        taken: object = bench.spares.take_idle()
        assert taken is bench.started[1]
        assert bench.started[1].on_failed is None
        assert not bench.spares.has_idle
        assert bench.spares.take_idle() is None

    run(story, monkeypatch)


def test_failed_starts_are_tried_again_with_growing_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> list[float]:
        bench.errors = [EngineStartError(f"no licence {number}") for number in range(10)]
        with structlog.testing.capture_logs() as lines, pytest.raises(EngineStartError, match="no licence 0"):
            await bench.spares.warm()
        await asyncio.sleep(400.0)
        assert [line["event"] for line in lines] == ["engine_start_failed"]
        assert lines[0]["retry_in_s"] == 0.5
        assert bench.counts == (1, 0, 0)
        assert bench.reaper.groups == {bench.started[-1].pid}
        assert all(process.ended for process in bench.started[:-1])
        return [
            later - sooner - START_S for sooner, later in zip(bench.start_times, bench.start_times[1:], strict=False)
        ]

    pauses = run(story, monkeypatch, spares=0)
    assert pauses == pytest.approx([0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60])


def test_a_start_nobody_waits_for_any_more_gives_an_idle_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        waiting = asyncio.ensure_future(bench.take())
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.sleep(1.0)
        assert bench.counts == (1, 0, 0)
        assert len(bench.started) == 1

    run(story, monkeypatch, spares=0)


def test_two_games_that_wait_get_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        first, second = await asyncio.gather(bench.take(), bench.take())
        assert first is not second
        assert bench.counts[1] == 2

    run(story, monkeypatch, slots=2, spares=0)


def test_on_demand_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        bench.spares.refill()
        assert bench.started == []
        process = await bench.take()
        await asyncio.sleep(5.0)
        assert bench.counts == (0, 1, 0)
        bench.spares.release(process)  # type: ignore[arg-type]  # made up
        await asyncio.sleep(5.0)
        assert process.ended
        assert (bench.counts, len(bench.started)) == ((0, 0, 0), 1)

    run(story, monkeypatch, on_demand=True)


def test_close_ends_idle_leased_and_starting_processes_and_starts_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await bench.take()
        bench.spares.refill()
        await asyncio.sleep(START_S / 2)
        assert bench.counts[2] > 0
        began_s = asyncio.get_running_loop().time()
        await bench.spares.close()
        assert asyncio.get_running_loop().time() == began_s  # a start under way is cancelled, not waited for
        await asyncio.sleep(5.0)
        assert all(process.ended and process.output_ignored for process in bench.started)
        assert bench.reaper.groups == set()
        started = len(bench.started)
        bench.spares.refill()
        with pytest.raises(EngineStartError, match="the engine pool is closing"):
            await bench.take()
        assert len(bench.started) == started

    run(story, monkeypatch)


def test_close_ends_the_others_when_one_process_cannot_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(1.0)
        bench.started[0].unkillable = True
        await bench.spares.close()
        assert [process.ended for process in bench.started] == [False, True, True]

    run(story, monkeypatch, slots=1, spares=2)


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


def test_a_process_that_is_still_starting_counts_as_living(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_processes, "START_S", 2.0)

    async def story(bench: Bench) -> None:
        await bench.spares.warm()
        await asyncio.sleep(5.0)
        first, _, _ = await asyncio.gather(*(bench.take() for _ in range(3)))
        assert bench.counts == (0, 3, 1)  # one game more than slots, and the spare is on its way
        bench.spares.release(first)  # type: ignore[arg-type]  # made up
        await asyncio.sleep(0.1)
        assert (first.ended, bench.counts) == (True, (0, 2, 1))
        await asyncio.sleep(5.0)
        assert bench.counts == (1, 2, 0)

    run(story, monkeypatch, slots=2, spares=1)


def test_on_demand_a_start_nobody_waits_for_any_more_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(bench: Bench) -> None:
        waiting = asyncio.ensure_future(bench.take())
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.sleep(5.0)
        assert (bench.counts, [process.ended for process in bench.started]) == ((0, 0, 0), [True])

    run(story, monkeypatch, on_demand=True)


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
