"""Threads of pages that meet: each test fails without the locks of the class it names."""

from __future__ import annotations

from typing import Any

from bot.dashboard.picture import Observer, Sources
from tests.bot.dashboard.pictures import PLAIN
from tests.helpers.interleave import Threads, interleave


def test_pages_that_look_at_once_share_a_picture() -> None:
    def scenario(threads: Threads) -> None:
        observer = Observer(Sources(**PLAIN))
        first, second = threads.run(observer.look, observer.look)
        assert first is second

    interleave(scenario, Observer)


def test_history_is_read_by_one_page_at_a_time() -> None:
    class History:
        def __init__(self) -> None:
            self.inside = 0
            self.ratings: dict[str, Any] = {}

        def look(self, _now_s: float) -> tuple[()]:
            self.inside += 1
            assert self.inside == 1
            self.inside -= 1
            return ()

    def scenario(threads: Threads) -> None:
        observer = Observer(Sources(**PLAIN), history=History())  # type: ignore[arg-type]  # with what is asked of it
        threads.run(observer.played, observer.look)

    interleave(scenario, Observer, History)
