"""Threads that meet in one search: each test fails without the locks of the class it names."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from engine88 import Limits, Position
from engine88.control.running_search import RunningSearch
from engine88.control.threads import Alarm
from tests.engine88.control.scripted import ScriptedSearcher, deepening, staged
from tests.helpers.interleave import Threads, interleave

#: The whole clock passes while the engine ponders, so a ponderhit stops the search.
PONDER = Limits(ponder=True, wtime_ms=100, btime_ms=100, depth=1)


@pytest.mark.parametrize(
    ("limits", "endings"),
    [(Limits(depth=1), (RunningSearch.stop,)), (PONDER, (RunningSearch.ponderhit, RunningSearch.stop))],
    ids=["stop", "ponderhit"],
)
def test_no_searcher_is_stopped_after_its_search_is_over(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, endings: tuple[Callable[[RunningSearch], None], ...]
) -> None:
    """The next search may have begun by then, and it would end at once."""
    position = Position.start()
    lines = deepening(position, 1)

    def scenario(threads: Threads) -> None:
        with staged(monkeypatch, ScriptedSearcher(lines)) as stage:
            shown = threading.Event()
            running = stage.search(position, limits, on_info=lambda _info: shown.set())
            stage.clock.pass_ms(1000.0)

            def search() -> None:
                running.run()
                stage.main.set_position(position)  # as the next search does

            def end(ending: Callable[[RunningSearch], None]) -> None:
                shown.wait()
                ending(running)

            threads.run(search, *(partial(end, ending) for ending in endings))
            assert not stage.main.stopped

    interleave(scenario, RunningSearch)


class AlarmWithoutThread(Alarm):
    """The threads of a scenario do its work."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due = [(0.0, 1, print)]
        self._count, self._open = 1, True

    def clear_and_end(self) -> None:
        """Forget what is due, and let the thread end."""
        self.clear()
        with self._changed:
            self._open = False
            self._changed.notify()


def test_an_alarm_may_be_cleared_while_its_thread_looks_at_what_is_due() -> None:
    def scenario(threads: Threads) -> None:
        alarm = AlarmWithoutThread()
        action, _ = threads.run(alarm._next, alarm.clear_and_end)
        assert action in (None, print)

    interleave(scenario, Alarm)
