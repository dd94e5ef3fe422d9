"""Threads that meet in one search: each test fails without the locks of the class it names."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from engine88 import Limits, Position
from engine88.control.running_search import RunningSearch
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
