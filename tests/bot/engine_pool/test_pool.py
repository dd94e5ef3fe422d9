"""The pool: which entry serves a game, warm spares, options, clear errors, a clean end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.engine
import pytest
import structlog
from structlog.typing import EventDict

from bot.engine_pool import pool as pool_module
from bot.engine_pool.health import CHECK_INTERVAL_S
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.values import Requirement
from bot.errors import ConfigurationError, EngineStartError
from tests.helpers.engines import best_move, tiny_entry
from tests.helpers.fake_clock import run_on_fake_clock
from tests.helpers.processes import is_running, wait_until


def pids(pool: EnginePool) -> set[int]:
    """All processes of the pool."""
    return {pid for entry in pool.snapshot() for pid in entry.pids}


def test_engines_are_warm_before_the_first_game_and_spares_follow() -> None:
    with EnginePool([tiny_entry(slots=2, spares=1)]) as pool:
        assert pool.snapshot()[0].idle >= 1
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        engine = pool.lend()
        assert best_move(engine, chess.Board()).error is None
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        assert pool.snapshot()[0].leased == 1
        engine.give_back()


def test_close_ends_every_process_whatever_it_does() -> None:
    pool = EnginePool(
        [tiny_entry("think", "--think-ms", "300000", slots=3), tiny_entry("ignore-stop", name="ignore-stop")]
    )
    pool.start()
    assert wait_until(lambda: all(entry.idle >= 2 for entry in pool.snapshot()))
    for name in ("tiny", "ignore-stop"):
        pool.lend(Requirement(names=(name,))).play(chess.Board(), chess.engine.Limit(time=600.0), on_done=print)
    running = pids(pool)
    pool.close()
    pool.close()
    assert len(running) >= 4
    assert not [pid for pid in running if is_running(pid)]


def test_a_pool_that_was_never_started_leaves_nothing_open() -> None:
    def descriptors() -> int:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    before = descriptors()
    pool = EnginePool([tiny_entry()])
    assert descriptors() > before
    pool.close()
    assert descriptors() == before
    pool._loop = SimpleNamespace(close=lambda: pytest.fail("closed twice"))  # type: ignore[assignment]  # a stand-in
    pool.close()


def test_names_restrict_the_choice() -> None:
    with EnginePool([tiny_entry(name="one"), tiny_entry(name="two")]) as pool:
        assert best_move(pool.lend(Requirement(names=("two",))), chess.Board()).engine == "two"
        assert [entry.leased for entry in pool.snapshot()] == [0, 1]
        with pytest.raises(ConfigurationError, match="no engine is named 'three': there are one, two"):
            pool.lend(Requirement(names=("three",)))


def test_a_variant_the_engine_does_not_know_is_an_error() -> None:
    with EnginePool([tiny_entry()]) as pool:
        answer = best_move(pool.lend(Requirement(variant="atomic")), chess.Board())
        assert "tiny cannot play atomic" in str(answer.error)
        answer = best_move(pool.lend(Requirement(chess960=True)), chess.Board())
        assert answer.error is None


def test_the_fallback_ends_with_the_game_that_needed_it() -> None:
    with EnginePool([tiny_entry("illegal")], fallback=tiny_entry(name="last resort")) as pool:
        engine = pool.lend()
        assert best_move(engine, chess.Board()).engine == "last resort"
        assert [entry.name for entry in pool.snapshot()] == ["tiny", "last resort"]
        engine.give_back()
        assert wait_until(lambda: [entry.name for entry in pool.snapshot()] == ["tiny"])


def test_another_entry_helps_out_when_one_cannot_start() -> None:
    with EnginePool([tiny_entry("no-start", name="broken", slots=9), tiny_entry(name="whole")]) as pool:
        answer = best_move(pool.lend(), chess.Board())
        assert (answer.engine, answer.error) == ("whole", None)
        assert "licence file missing" in pool.snapshot()[0].last_error


def test_entries_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="no engine is configured"):
        EnginePool([])
    with pytest.raises(ConfigurationError, match="two engines are named 'tiny'"):
        EnginePool([tiny_entry(), tiny_entry()])


def test_an_engine_given_back_before_it_was_ready_is_kept_for_the_next_game() -> None:
    with EnginePool([tiny_entry(spares=0)]) as pool:
        for _ in range(20):
            pool.lend().give_back()
        assert wait_until(lambda: pool.snapshot()[0].idle == 1)
        assert pool.snapshot()[0].replaced == 0
        assert best_move(pool.lend(), chess.Board()).error is None


def test_a_game_at_a_level_and_the_next_one_without() -> None:
    with EnginePool([tiny_entry("good", "--levels")]) as pool:
        for elo, expected in ((900, 1000), (None, None), (1600, 1600)):
            engine = pool.lend(Requirement(elo=elo))
            assert best_move(engine, chess.Board()).error is None
            assert engine.elo == expected
            engine.give_back()


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


def test_entries_in_order_serve_in_order_while_they_have_slots(pool: EnginePool, logs: list[EventDict]) -> None:
    wanted = Requirement(names=("small", "large", "small"), in_order=True)
    leases = [pool.lend(wanted) for _ in range(4)]
    assert logs == []
    overbooked = pool.lend(wanted)
    served = [lease._source._candidates[0].entry.name for lease in [*leases, overbooked]]
    assert served == ["small", "large", "large", "large", "large"]
    assert [(line["event"], line["engine"], line["slots"]) for line in logs] == [("engine_overbooked", "large", 3)]
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


def test_late_replies_to_cancelled_commands_are_no_bugs(logs: list[EventDict]) -> None:
    bugs: list[dict[str, Any]] = []
    loop = SimpleNamespace(default_exception_handler=bugs.append)
    late, bug = {"exception": chess.engine.EngineError("late")}, {"message": "Task was destroyed"}
    for context in (late, bug):
        pool_module._on_loop_error(loop, context)  # type: ignore[arg-type]  # the part that is used
    assert bugs == [bug]
    assert [(line["event"], line["error"]) for line in logs] == [("engine_late_reply", "late")]


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
