"""Which entry serves a game next, on a fake clock and with entries made up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.engine_pool.engine_lease import EXCLUDED_S, FAILURE_WINDOW_S, ProcessSource
from bot.engine_pool.values import Requirement
from bot.errors import EngineDied, EngineError, EngineStartError, EngineTimeout
from tests.helpers.engines import remote_entry, tiny_entry
from tests.helpers.fake_clock import FakeClock


class FakeEntry:
    """An entry and its only process, which is ready at once; its end is noted."""

    def __init__(self, name: str, *, idle: bool = True, remote: bool = False) -> None:
        self.entry = remote_entry("none", name=name) if remote else tiny_entry(name=name)
        self.has_idle = idle
        self.said: list[str] = []
        self.supported = True
        self.preparation: asyncio.Event | None = None
        self.error: EngineError | None = None
        self.start_error: EngineError | None = None

    def take_idle(self) -> FakeEntry | None:
        return self if self.has_idle else None

    async def take(self) -> FakeEntry:
        self.said.append("started")
        await asyncio.sleep(0)
        if self.start_error is not None:
            raise self.start_error
        return self

    def supports(self, _requirement: Requirement) -> bool:
        return self.supported

    async def prepare(self, options: dict[str, Any], elo: int | None = None) -> None:
        self.said.append(f"prepared with {dict(options)} at {elo}")
        if self.preparation is not None:
            await self.preparation.wait()
        if self.error is not None:
            raise self.error

    def release(self, process: FakeEntry) -> None:
        assert process is self
        self.said.append("released")

    def retire(self, process: FakeEntry, error: EngineError) -> None:
        assert process is self
        self.said.append(f"retired: {error}")


def source_of(*entries: FakeEntry, in_order: bool = True, clock: FakeClock | None = None) -> ProcessSource:
    """Where a game with these entries gets its processes from."""
    wanted = Requirement(in_order=in_order, options={"Hash": 8}, elo=1600)
    return ProcessSource(entries, wanted, clock or FakeClock())  # type: ignore[arg-type]  # made up


def names(source: ProcessSource) -> list[str]:
    """The entries that may be used now."""
    return [one.entry.name for one in source.available]


async def next_name(source: ProcessSource) -> str:
    """The entry that serves next."""
    acquisition = source.acquire()
    await acquisition.task
    return acquisition.entry.name


DIED, LATE = EngineDied("dead"), EngineTimeout("late")


@pytest.mark.parametrize(
    ("remote", "errors", "excluded"),
    [
        (False, [DIED], False),
        (False, [LATE], False),
        (False, [DIED, LATE], True),
        (False, [EngineStartError("no")], True),
        (True, [DIED], False),
        (True, [DIED, DIED], True),
        (True, [LATE], True),
    ],
)
def test_an_entry_is_excluded_by_its_failures(remote: bool, errors: list[EngineError], excluded: bool) -> None:
    source = source_of(FakeEntry("first", remote=remote), FakeEntry("second"))
    for error in errors:
        source.record_failure("first", error)
    assert names(source) == (["second"] if excluded else ["first", "second"])


def test_an_entry_may_be_excluded_at_once() -> None:
    source = source_of(FakeEntry("first"), FakeEntry("second"))
    source.record_failure("first", LATE, exclude=True)
    assert names(source) == ["second"]


def test_failures_long_ago_do_not_count_and_exclusions_end() -> None:
    clock = FakeClock()
    source = source_of(FakeEntry("first"), FakeEntry("second"), clock=clock)
    source.record_failure("first", DIED)
    clock.now_s += FAILURE_WINDOW_S + 1
    source.record_failure("first", DIED)
    assert names(source) == ["first", "second"]
    clock.now_s += FAILURE_WINDOW_S - 1
    source.record_failure("first", DIED)
    assert names(source) == ["second"]
    clock.now_s += 0.5
    source.record_failure("first", DIED)  # a third one makes it last longer
    clock.now_s += EXCLUDED_S - 0.25
    assert names(source) == ["second"]
    clock.now_s += 0.25
    assert names(source) == ["first", "second"]


def test_a_new_move_frees_the_excluded_entries_only_if_none_is_left() -> None:
    source = source_of(FakeEntry("first"), FakeEntry("second"))
    source.record_failure("first", DIED, exclude=True)
    source.begin_move()
    assert names(source) == ["second"]
    source.record_failure("second", DIED, exclude=True)
    assert names(source) == []
    with pytest.raises(EngineStartError, match="no engine is left"):
        source.acquire()
    source.begin_move()
    assert names(source) == ["first", "second"]
    source.record_failure("first", DIED)
    assert names(source) == ["first", "second"]  # the failures of before are forgotten, too


@pytest.mark.parametrize(
    ("in_order", "idle", "failed", "expected"),
    [
        (True, (True, True), False, "first"),
        (True, (False, True), False, "first"),  # at the game's start the preferred one is waited for
        (True, (False, True), True, "second"),  # but not in the middle of it
        (True, (True, True), True, "first"),
        (False, (False, True), False, "second"),
        (False, (False, False), False, "first"),
    ],
)
def test_the_preferred_entry_serves_if_it_can(
    in_order: bool, idle: tuple[bool, bool], failed: bool, expected: str
) -> None:
    async def story() -> None:
        source = source_of(FakeEntry("first", idle=idle[0]), FakeEntry("second", idle=idle[1]), in_order=in_order)
        if failed:
            source.record_failure("first", DIED)
        assert await next_name(source) == expected

    asyncio.run(story())


@pytest.mark.parametrize(
    ("remote", "idle", "failed", "serving", "expected"),
    [
        (True, True, True, "second", "first"),
        (True, True, True, "first", None),
        (True, False, True, "second", None),
        (True, True, False, "second", None),  # it was full at the game's start
        (False, True, True, "second", None),
    ],
)
def test_only_a_remote_entry_that_failed_is_returned_to(
    remote: bool, idle: bool, failed: bool, serving: str, expected: str | None
) -> None:
    async def story() -> None:
        clock = FakeClock()
        source = source_of(FakeEntry("first", idle=idle, remote=remote), FakeEntry("second"), clock=clock)
        if failed:
            source.record_failure("first", LATE, exclude=True)
        assert source.return_to_preferred(serving) is None  # it is still excluded
        clock.now_s += EXCLUDED_S
        acquisition = source.return_to_preferred(serving)
        assert (acquisition.entry.name if acquisition else None) == expected

    asyncio.run(story())


def test_a_process_is_prepared_with_the_options_of_the_game() -> None:
    async def story() -> list[str]:
        entry = FakeEntry("first", idle=False)
        assert await source_of(entry).acquire().task is entry  # type: ignore[comparison-overlap]  # made up
        return entry.said

    assert asyncio.run(story()) == ["started", "prepared with {'Hash': 8} at 1600"]


def test_a_process_that_cannot_play_the_variant_goes_back() -> None:
    async def story() -> list[str]:
        entry = FakeEntry("first")
        entry.supported = False
        with pytest.raises(EngineStartError, match=r"^first cannot play chess$"):
            await source_of(entry).acquire().task
        return entry.said

    assert asyncio.run(story()) == ["released"]


def test_a_process_that_fails_while_it_is_prepared_is_retired() -> None:
    async def story() -> list[str]:
        entry = FakeEntry("first")
        entry.error = DIED
        with pytest.raises(EngineDied):
            await source_of(entry).acquire().task
        return entry.said

    assert asyncio.run(story())[-1] == "retired: dead"


def test_an_abandoned_acquisition_ends_at_once_but_a_preparation_is_finished() -> None:
    async def story() -> None:
        waiting = source_of(FakeEntry("first", idle=False)).acquire()
        await asyncio.sleep(0)
        waiting.abandon()
        with pytest.raises(asyncio.CancelledError):
            await waiting.task
        entry = FakeEntry("first")
        entry.preparation = asyncio.Event()
        preparing = source_of(entry).acquire()
        await asyncio.sleep(0)
        preparing.abandon()
        entry.preparation.set()
        assert await preparing.task is entry  # type: ignore[comparison-overlap]  # made up

    asyncio.run(story())


def test_a_process_goes_back_to_its_own_entry() -> None:
    first, second = FakeEntry("first"), FakeEntry("second")
    source = source_of(first, second)
    source.release(second)  # type: ignore[arg-type]  # made up
    source.retire(first, DIED)  # type: ignore[arg-type]  # made up
    assert (first.said, second.said) == (["retired: dead"], ["released"])
