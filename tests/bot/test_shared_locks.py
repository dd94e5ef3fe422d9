"""Threads that meet in small shared objects: each test fails without the locks of the class it names."""

from __future__ import annotations

import io
import logging
import queue
import socket
import threading
from functools import partial
from types import SimpleNamespace
from typing import Any

import chess
import pytest

from bot.backoff import Pacer
from bot.control.server import _Server
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.python_engine.uci import Adapter
from bot.log.queued_handler import _Listener
from bot.move_sources import source_chain
from bot.move_sources.book import BookSource
from bot.move_sources.source_chain import MoveSources
from bot.move_sources.tablebases import GaviotaSource, SyzygySource
from bot.service.service import Service
from bot.settings import ChallengeSettings, Settings, SourceSettings
from bot.supervised_loop import SupervisedLoop
from tests.helpers.engines import tiny_entry
from tests.helpers.interleave import Threads, interleave


def test_two_attempts_do_not_take_the_same_turn() -> None:
    def scenario(threads: Threads) -> None:
        pacer = Pacer(1.0, 1)
        assert sorted(threads.run(*[partial(pacer.delay_s, 0.0, urgent=True)] * 2)) == [0.0, 1.0]

    interleave(scenario, Pacer)


def test_a_loop_is_started_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        started = []
        loop = SupervisedLoop("once", lambda: None)
        with monkeypatch.context() as patch:

            def run_twice() -> None:
                loop.start()

            start = threading.Thread.start
            patch.setattr(
                threading.Thread,
                "start",
                lambda thread: started.append(thread) if thread.name == "once" else start(thread),
            )
            threads.run(run_twice, run_twice)
        assert len(started) == 1

    interleave(scenario, SupervisedLoop)


def pool_of_two() -> EnginePool:
    """Two entries with one slot each."""
    return EnginePool([tiny_entry(name=name, slots=1) for name in ("one", "two")], fallback=None)


def test_two_games_get_engines_of_different_entries() -> None:
    def scenario(threads: Threads) -> None:
        pool = pool_of_two()
        threads.run(pool.lend, pool.lend)
        assert [entry.leased for entry in pool.snapshot()] == [1, 1]
        pool.close()

    interleave(scenario, EnginePool)


def test_slots_freed_at_once_are_all_free() -> None:
    def scenario(threads: Threads) -> None:
        pool = EnginePool([tiny_entry(slots=2)], fallback=None)
        leases = [pool.lend(), pool.lend()]
        threads.run(*(lease._free_slot for lease in leases))
        assert pool.snapshot()[0].leased == 0
        pool.close()

    interleave(scenario, EnginePool)


def test_a_game_may_be_forgotten_while_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_chain, "GAMES_REMEMBERED", 1)

    def scenario(threads: Threads) -> None:
        sources = MoveSources(SourceSettings())
        threads.run(partial(sources._misses_of, "one"), partial(sources._misses_of, "two"))

    interleave(scenario, MoveSources)


class Files:
    """Tables and books that one thread at a time may use."""

    def __init__(self) -> None:
        self.users = 0

    def look_up(self, *_args: object, **_kept: object) -> Any:
        """Take a while."""
        self.users += 1
        assert self.users == 1, "two threads at once"
        self.users -= 1
        raise KeyError

    probe_dtm = probe_dtz = probe_wdl = look_up

    def find_all(self, *_args: object, **_kept: object) -> list[Any]:
        """Find nothing, after a while."""
        with pytest.raises(KeyError):
            self.look_up()
        return []

    def close(self) -> None:
        """Close them, after a while."""
        self.find_all()


@pytest.mark.parametrize("kind", [BookSource, SyzygySource, GaviotaSource])
def test_files_are_not_closed_during_a_query(kind: Any) -> None:
    request: Any = SimpleNamespace(board=chess.Board("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"))

    def scenario(threads: Threads) -> None:
        source = object.__new__(kind)
        source.name, source._lock = "files", threading.Lock()
        source._tables = source._reader = Files()
        source._settings = SimpleNamespace(min_weight=1, share_of="best", min_share=0.0, allow_repetitions=True)
        threads.run(partial(source.choose, request, 1.0), source.close)

    interleave(scenario, kind, Files)


def test_silent_connections_may_come_and_go_while_one_is_dropped() -> None:
    class Server(_Server):
        """Without a listener; nothing is served."""

        def __init__(self) -> None:
            self._places = threading.BoundedSemaphore(9)
            self._silent, self._silent_lock = {}, threading.Lock()

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            """Serve nothing."""

    def scenario(threads: Threads) -> None:
        server, (one, two), (three, four) = Server(), socket.socketpair(), socket.socketpair()
        with one, two, three, four:
            server._silent = {one: None, two: None}
            threads.run(
                server._drop_silent, partial(server.heard, one), partial(server.process_request, three, ("", 0))
            )
            assert one not in server._silent

    interleave(scenario, _Server)


class Page:
    """A destination that keeps what is written."""

    name = "page"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        """Keep lines."""
        self.text += text

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def listener_without_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The threads of a scenario do the work of the log's."""

    def start(listener: Any) -> None:
        listener._thread = SimpleNamespace()

    monkeypatch.setattr(_Listener, "start", start)
    monkeypatch.setattr(logging.getLogger("bot.log.queued_handler"), "disabled", True)


@pytest.mark.usefixtures("listener_without_thread")
def test_every_dropped_line_is_counted() -> None:
    def scenario(threads: Threads) -> None:
        listener = _Listener(queue.Queue(), Page())
        threads.run(*[partial(listener.drop, "is full")] * 2)
        assert listener.dropped == 2

    interleave(scenario, _Listener)


@pytest.mark.usefixtures("listener_without_thread")
def test_a_line_dropped_while_drops_are_reported_is_reported_later() -> None:
    def scenario(threads: Threads) -> None:
        page = Page()
        listener = _Listener(queue.Queue(), page)
        listener.drop("is full")
        threads.run(listener._report_drops, partial(listener.drop, "is full"))
        assert int(page.text.split()[0]) + listener.dropped == 2

    interleave(scenario, _Listener)


def test_the_newer_of_two_reloads_stays() -> None:
    base = Settings.model_validate({"engines": [{"name": "tiny", "command": ["true"]}]})
    newer = [base.model_copy(update={"challenges": ChallengeSettings(queue=number)}) for number in (2, 3)]

    def scenario(threads: Threads) -> None:
        unread, told = iter(newer), list[int]()
        service: Any = SimpleNamespace(
            _reloading=threading.Lock(),
            _read_settings=lambda: next(unread),
            settings=base,
            user_lists=SimpleNamespace(configure=lambda _settings: None),
            dispatcher=SimpleNamespace(configure=lambda settings: told.append(settings.challenges.queue)),
        )
        threads.run(*[partial(Service.reload, service)] * 2)
        assert (service.settings.challenges.queue, told) == (3, [2, 3])

    interleave(scenario, Service)


def test_lines_of_two_threads_of_an_engine_are_not_mixed() -> None:
    class Output(io.StringIO):
        def write(self, text: str) -> int:
            for letter in text:
                super().write(letter)
            return len(text)

    def scenario(threads: Threads) -> None:
        adapter = Adapter.__new__(Adapter)
        adapter._writing, adapter._output = threading.Lock(), Output()
        threads.run(partial(adapter.say, "one"), partial(adapter.say, "two"))
        assert sorted(adapter._output.getvalue().split()) == ["one", "two"]

    interleave(scenario, Adapter, Page)
