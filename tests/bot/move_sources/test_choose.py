"""Order, budgets, reserves, failures."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace

import chess
import pytest
import structlog

from bot.errors import NetworkError
from bot.move_sources import MoveSources, source_chain
from bot.move_sources.request import NO_MOVE, Choice, MoveRequest, MoveSource
from bot.settings import SourceSettings
from tests.helpers.scarce_threads import refuse_threads

E4, D4 = chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4")


class Scripted:
    """A source that answers, fails or hangs as told."""

    def __init__(
        self,
        name: str,
        move: chess.Move | None = None,
        *,
        online: bool = False,
        limit_s: float = 30.0,
        fails: Exception | None = None,
        wdl: int | None = None,
    ) -> None:
        self.name, self.move, self.online, self.limit_s, self.fails = name, move, online, limit_s, fails
        self.wdl = wdl
        self.hangs: threading.Event | None = None
        self.timeouts: list[float] = []

    def close(self) -> None:
        """Nothing is open."""

    def applies(self, request: MoveRequest) -> bool:
        return True

    def choose(self, request: MoveRequest, timeout_s: float, /) -> Choice | None:
        self.timeouts.append(timeout_s)
        if self.hangs is not None:
            self.hangs.wait(60)
        if self.fails is not None:
            raise self.fails
        return None if self.move is None else Choice(self.move, self.name, self.wdl)


def choose_from(sources: Sequence[MoveSource], request: MoveRequest | None = None, **online: float) -> Choice | None:
    """Ask these sources, under these limits for online ones."""
    chain = MoveSources(SourceSettings.model_validate({"online": online}))
    chain.sources = tuple(sources)
    return chain.choose(request or MoveRequest(chess.Board(), remaining_ms=60_000))


def test_the_first_that_knows_is_taken() -> None:
    last = Scripted("last", E4)
    assert choose_from([Scripted("empty"), Scripted("second", D4), last]) == Choice(D4, "second")
    assert last.timeouts == []


def test_a_result_without_a_move_is_kept_until_somebody_has_one() -> None:
    knows = Scripted("tables", NO_MOVE, wdl=0)
    assert choose_from([knows, Scripted("empty")]) == Choice(NO_MOVE, "tables", 0)
    assert choose_from([knows, Scripted("book", D4)]) == Choice(D4, "book", 0)
    assert choose_from([knows, Scripted("other tables", D4, wdl=2)]) == Choice(D4, "other tables", 0)


def test_nobody_knows() -> None:
    assert choose_from([Scripted("empty"), Scripted("empty too", online=True)]) is None


@pytest.mark.parametrize("error", [NetworkError("cut"), RuntimeError("bug"), KeyError("shape")])
def test_a_failing_source_is_skipped_and_logged(error: Exception) -> None:
    with structlog.testing.capture_logs() as lines:
        assert choose_from([Scripted("bad", fails=error), Scripted("good", E4)]) == Choice(E4, "good")
    assert [line["source"] for line in lines if line["event"].startswith("move_source_")] == ["bad"]


def test_a_source_is_skipped_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refuse_threads(monkeypatch, times=1) == []
    assert choose_from([Scripted("unlucky", D4), Scripted("good", E4)]) == Choice(E4, "good")


def test_an_illegal_move_is_no_move() -> None:
    assert choose_from([Scripted("bad", chess.Move.from_uci("e1e5")), Scripted("good", E4)]) == Choice(E4, "good")


def test_a_hanging_source_is_left_behind() -> None:
    hanging = Scripted("slow", D4, limit_s=0.05)
    hanging.hangs = threading.Event()
    with structlog.testing.capture_logs() as lines:
        assert choose_from([hanging, Scripted("good", E4)]) == Choice(E4, "good")
    left_behind = [thread.daemon for thread in threading.enumerate() if thread.name == "source slow"]
    hanging.hangs.set()
    assert left_behind == [True]  # so that it does not hold up the end of the program
    assert [line["event"] for line in lines if line.get("source") == "slow"] == ["move_source_timed_out"]


def test_online_sources_share_one_budget() -> None:
    first, second, third = (Scripted(name, online=True) for name in ("first", "second", "third"))
    first.hangs = threading.Event()
    began = time.monotonic()
    assert choose_from([first, second, third], budget_s=0.3) is None
    assert time.monotonic() - began < 20  # not the 30 s that each may take alone
    assert first.timeouts == [0.3]
    assert second.timeouts == third.timeouts == []
    first.hangs.set()


def test_only_the_time_that_a_query_took_is_off_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([100.0, 100.25, 200.0, 200.5, 300.0, 301.0, 400.0])
    monkeypatch.setattr(source_chain, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    sources = [Scripted(name, online=True) for name in ("first", "second", "third", "fourth")]
    local = Scripted("local", E4)
    assert choose_from([*sources, local], budget_s=1.5) == Choice(E4, "local")
    assert [source.timeouts for source in sources] == [[1.5], [1.25], [0.75], []]
    assert local.timeouts == [3.0]  # a twentieth of our clock


def test_the_time_for_the_move_limits_the_budget() -> None:
    source = Scripted("online", online=True)
    choose_from([source], MoveRequest(chess.Board(), move_time_ms=400), budget_s=5.0)
    assert source.timeouts == [0.4]


@pytest.mark.parametrize(("remaining_ms", "asked"), [(29_999, 0), (30_000, 1), (None, 1)])
def test_online_sources_are_left_alone_below_the_reserve(remaining_ms: int | None, asked: int) -> None:
    online, local = Scripted("online", online=True), Scripted("local", E4)
    request = MoveRequest(chess.Board(), remaining_ms=remaining_ms)
    assert choose_from([online, local], request, reserve_s=30.0) == Choice(E4, "local")
    assert len(online.timeouts) == asked


def test_a_source_that_keeps_missing_is_not_asked_any_more() -> None:
    online, request = Scripted("online", online=True), MoveRequest(chess.Board())
    for _ in range(5):
        choose_from([online], request, max_misses=2)
    assert len(online.timeouts) == 2
