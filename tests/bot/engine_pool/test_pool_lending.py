"""Which entry serves a game, what is shown of the pool, and its regular check; no engine is started."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import chess.engine
import pytest
import structlog

from bot.engine_pool import EnginePool, Requirement
from bot.engine_pool import pool as pool_module
from bot.engine_pool.health import CHECK_INTERVAL_S
from bot.errors import EngineStartError
from tests.helpers.engines import tiny_entry
from tests.helpers.fake_clock import run_on_fake_clock


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    """Two entries and a fallback."""
    entries = [tiny_entry(name="small", slots=1), tiny_entry(name="large", slots=3)]
    with contextlib.closing(EnginePool(entries, fallback=tiny_entry(name="last resort"))) as made:
        yield made


def lend(pool: EnginePool, **wanted: Any) -> list[str]:
    """Lend an engine; the entries that may serve the game, in order."""
    return [one.entry.name for one in pool.lend(Requirement(**wanted))._source._candidates]


def test_the_entry_with_the_least_games_per_slot_serves(pool: EnginePool) -> None:
    assert [lend(pool)[0] for _ in range(4)] == ["large", "large", "small", "large"]


def test_a_game_turns_to_the_other_entries_and_at_last_to_the_fallback(pool: EnginePool) -> None:
    assert lend(pool) == ["large", "small", "last resort"]
    assert lend(pool, names=("small",)) == ["small", "last resort"]
    for variant in ("atomic", "crazyhouse"):  # which the fallback does not play
        assert lend(pool, variant=variant) == ["large", "small"]
    with contextlib.closing(EnginePool([tiny_entry()], fallback=None)) as alone:
        assert lend(alone) == ["tiny"]


def test_entries_in_order_serve_in_order_while_they_have_slots(pool: EnginePool) -> None:
    wanted = Requirement(names=("small", "large", "small"), in_order=True)
    with structlog.testing.capture_logs() as lines:
        leases = [pool.lend(wanted) for _ in range(4)]
        assert lines == []
        overbooked = pool.lend(wanted)
    served = [lease._source._candidates[0].entry.name for lease in [*leases, overbooked]]
    assert served == ["small", "large", "large", "large", "large"]
    assert [(line["event"], line["engine"], line["slots"]) for line in lines] == [("engine_overbooked", "large", 3)]
    assert [entry.leased for entry in pool.snapshot()] == [1, 4]
    leases[0].give_back()
    assert [entry.leased for entry in pool.snapshot()] == [0, 4]
    assert pool._thread.daemon, "else a program that fails could not end"


@pytest.mark.parametrize(
    ("shown", "pids", "starting", "replaced"),
    [(False, (), 0, 0), (True, (4711,), 0, 0), (True, (), 1, 0), (True, (), 0, 1)],
)
def test_the_fallback_is_shown_once_it_was_needed(
    shown: bool, pids: tuple[int, ...], starting: int, replaced: int, pool: EnginePool
) -> None:
    snapshot = SimpleNamespace(name="last resort", pids=pids, starting=starting, replaced=replaced)
    pool._fallback = SimpleNamespace(snapshot=lambda: snapshot)  # type: ignore[assignment]  # the part that is used
    assert [one.name for one in pool.snapshot()] == ["small", "large", *["last resort"] * shown]


def test_processes_are_checked_regularly_but_not_after_a_pause_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine must not pay for a machine that slept, or for a thread of ours that was held up."""
    checked: list[float] = []
    held_up_s = [0.0]
    process = SimpleNamespace(health=SimpleNamespace(check=checked.append))
    pool = SimpleNamespace(_all=lambda: [SimpleNamespace(processes=[process, process])])

    async def story() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(pool_module, "time", SimpleNamespace(monotonic=lambda: loop.time() + held_up_s[0]))
        checking = loop.create_task(EnginePool._check_health(pool))  # type: ignore[arg-type]  # the part that is used
        for pause_s, checks in ((0.0, 2), (0.4, 2), (0.6, 0), (0.0, 2), (3600.0, 0), (0.0, 2)):
            before = len(checked)
            held_up_s[0] += pause_s
            await asyncio.sleep(CHECK_INTERVAL_S)
            await asyncio.sleep(0)
            assert len(checked) - before == checks
        checking.cancel()

    run_on_fake_clock(story())
    assert checked[0] == CHECK_INTERVAL_S


def test_late_replies_to_cancelled_commands_are_no_bugs() -> None:
    bugs: list[dict[str, Any]] = []
    loop = SimpleNamespace(default_exception_handler=bugs.append)
    late, bug = {"exception": chess.engine.EngineError("late")}, {"message": "Task was destroyed"}
    with structlog.testing.capture_logs() as lines:
        for context in (late, bug):
            pool_module._on_loop_error(loop, context)  # type: ignore[arg-type]  # the part that is used
    assert bugs == [bug]
    assert [(line["event"], line["error"]) for line in lines] == [("engine_late_reply", "late")]


@pytest.mark.parametrize(("working", "raised"), [(1, ""), (0, "no licence; no licence")])
def test_each_entry_that_cannot_start_is_told_and_one_that_works_is_enough(working: int, raised: str) -> None:
    async def fail() -> None:
        raise EngineStartError("no licence")

    async def work() -> None:
        await asyncio.sleep(0)

    async def story() -> None:
        spares = [SimpleNamespace(warm=work)] * working + [SimpleNamespace(warm=fail)] * (2 - working)
        pool: Any = SimpleNamespace(
            _loop=asyncio.get_running_loop(), _check_health=work, _spares=dict(enumerate(spares)), _checking=None
        )
        with pytest.raises(EngineStartError, match=f"^{raised}$") if raised else contextlib.nullcontext():
            await EnginePool._start_all(pool)
        await pool._checking

    with structlog.testing.capture_logs() as lines:
        asyncio.run(story())
    assert [(line["event"], line["error"]) for line in lines] == [("engine_not_ready", "no licence")] * (2 - working)
