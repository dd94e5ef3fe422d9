"""Threads that meet in one game: each test fails without the locks of the class it names."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import chess
import pytest

from bot.backoff import Pacer
from bot.engine_pool.values import Answer
from bot.events.account import GameInfo
from bot.events.game import Player
from bot.play import game_loop, game_stream, move_search, outbox
from bot.play.chat.chat_queue import AfterGameChat
from bot.play.conduct import Action, ActionQueue
from bot.play.game import Game
from bot.play.game_context import EndReason
from bot.play.game_loop import GameLoop
from bot.play.game_stream import LONGEST_OPENING_S, GameReader
from bot.play.levels import LevelMemory
from bot.play.move_search import MoveSearch
from bot.play.observer import Observers
from bot.play.outbox import LagMeter, Outbox, PostedMove
from bot.supervised_loop import SupervisedLoop
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import full, game, state
from tests.helpers.interleave import Threads, interleave

NOW_S = 100.0
CORRESPONDENCE = GameInfo("abcdefgh", Player("alice", "Alice"), speed="correspondence")


class Harness(GameHarness):
    """A game whose threads do not run; `started` holds the purpose of each that was started, and its work."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, info: GameInfo | None = None, source: Callable[[Any], None] | None = None
    ) -> None:
        super().__init__(info, source)
        self.started: list[str] = []
        self.works: list[Callable[[], object]] = []
        for module in (game_loop, move_search, outbox):
            monkeypatch.setattr(module, "start_thread", self._start_thread)

    def _start_thread(self, purpose: str, _game_id: str, work: Callable[[], object]) -> bool:
        self.started.append(purpose)
        self.works.append(work)
        return True

    def close(self) -> None:
        """Stop the reader too, as the thread that closes a game does."""
        super().close()
        self.loop._reader.stop()

    @property
    def searches_running(self) -> int:
        """Searches that the engine still carries out."""
        return sum(not search.abandoned.is_set() for search in self.engine.searches)


def mate(loop: GameLoop) -> None:
    """The stream shows the end of the game."""
    loop._on_event(full(state(status="mate")), NOW_S)


def my_turn(loop: GameLoop) -> None:
    """The stream shows that it is our turn."""
    loop._on_event(full(), NOW_S)


@pytest.mark.parametrize("ending", [GameLoop._on_gone, GameLoop.leave, mate], ids=["gone", "leave", "mate"])
def test_a_game_ends_once(monkeypatch: pytest.MonkeyPatch, ending: Callable[[GameLoop], None]) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)

        def end(ending: Callable[[GameLoop], None]) -> EndReason | None:
            ending(harness.loop)
            return harness.loop.end_reason

        reasons = threads.run(partial(end, ending), partial(end, GameLoop.leave))
        assert harness.started == ["end"]
        assert len(set(reasons)) == 1

    interleave(scenario, GameLoop)


@pytest.mark.parametrize("news", [my_turn, partial(GameLoop.tick, now_s=NOW_S)], ids=["line", "tick"])
@pytest.mark.parametrize("ending", [GameLoop.leave, GameLoop.expect_end])
def test_no_search_outlives_its_game(
    monkeypatch: pytest.MonkeyPatch, news: Callable[[GameLoop], None], ending: Callable[[GameLoop], None]
) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)
        my_turn(harness.loop)
        harness.loop._search.cancel()
        threads.run(partial(news, harness.loop), partial(ending, harness.loop))
        assert harness.searches_running == 0

    interleave(scenario, GameLoop)


def test_a_game_in_which_it_is_our_turn_is_not_parked(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch, CORRESPONDENCE)
        harness.receive(full(state("e2e4"), speed="correspondence", initial_ms=None, increment_ms=None))
        threads.run(
            lambda: harness.loop.park_if_idle(NOW_S + 1_000_000.0),
            lambda: harness.receive(state("e2e4 e7e5")),
        )
        assert harness.game.wants_move == (harness.loop.end_reason is None)

    interleave(scenario, GameLoop)


def test_a_list_that_the_stream_is_about_to_confirm_reopens_no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)
        harness.receive(full(state("e2e4")))
        reopened: list[str] = []
        monkeypatch.setattr(GameReader, "reopen", lambda _reader, why: reopened.append(why))
        now_s = NOW_S + 2 * game_loop.LIST_LAG_S
        not_yet = GameInfo("abcdefgh", Player("alice", "Alice"), is_my_turn=False)
        threads.run(partial(harness.receive, state("e2e4 e7e5"), now_s), partial(harness.loop.compare, not_yet, now_s))
        assert not reopened

    interleave(scenario, GameLoop, Game)


def test_the_threads_of_a_game_are_started_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick may come while they are being started."""

    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)
        threads.run(harness.loop.start, lambda: harness.loop.tick(NOW_S))
        assert harness.started == ["outbox"]

    interleave(scenario, GameLoop, Outbox)


def test_no_engine_is_asked_after_the_end_because_a_book_has_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch, source=lambda _board: None)
        my_turn(harness.loop)
        (ask_book,) = harness.works
        threads.run(ask_book, harness.loop.leave)
        assert harness.searches_running == 0

    interleave(scenario, MoveSearch)


def test_no_answer_is_posted_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        harness = Harness(monkeypatch)
        my_turn(harness.loop)
        answer = Answer(chess.Move.from_uci("e2e4"), engine="test")
        threads.run(partial(harness.search.on_done, answer), harness.loop.leave)
        assert not harness.loop._outbox.pending

    interleave(scenario, MoveSearch, GameLoop)


class CountingOutbox(Outbox):
    """Counts the workers that were one too many. Its POSTs succeed."""

    def __init__(self) -> None:
        super().__init__("abcdefgh", lambda _uci, _offering_draw: None, lambda _why: None, LagMeter(), Observers())
        self.retired = 0

    def _retire(self) -> bool:
        is_retired = super()._retire()
        self.retired += is_retired
        return is_retired


@pytest.mark.parametrize("is_started", [True, False])
def test_workers_and_posts_of_a_game_are_counted(monkeypatch: pytest.MonkeyPatch, is_started: bool) -> None:
    """A lost count of workers would leave one behind at the end; one of posts would start a worker for each move."""

    def scenario(threads: Threads) -> None:
        starts = iter([True, True, is_started])
        monkeypatch.setattr(outbox, "start_thread", lambda _purpose, _game_id, _work: next(starts))
        posting = CountingOutbox()
        posting.start()
        move = posting.send(game(), "e2e4")
        posting._start_worker()
        posting._queue.put(move)

        def end() -> None:
            posting.withdraw()
            posting._start_worker()
            posting.close()

        threads.run(posting._work, posting._work, end)
        assert posting._workers == 2 + is_started - posting.retired
        assert (posting._posting, move.posting) == (0, 0)

    interleave(scenario, Outbox)


def test_one_worker_stays_with_a_move() -> None:
    def scenario(threads: Threads) -> None:
        posting, move = CountingOutbox(), PostedMove(game(), "e2e4")
        move.workers = 2
        assert sorted(threads.run(*[partial(posting._leave_to_another, move)] * 2)) == [False, True]

    interleave(scenario, Outbox)


def test_a_hedge_is_counted_while_another_worker_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker too many in the count would let the last one leave."""

    def scenario(threads: Threads) -> None:
        monkeypatch.setattr(outbox, "start_thread", lambda _purpose, _game_id, _work: True)
        posting = CountingOutbox()
        posting.start()
        move = posting.send(game(), "e2e4")
        move.posted_s, move.posting, move.workers = NOW_S, 1, 3
        left, _ = threads.run(partial(posting._leave_to_another, move), lambda: posting.tick(NOW_S + 60.0))
        assert (left, move.workers) == (True, 3)

    interleave(scenario, Outbox)


def test_a_users_wish_for_a_level_is_not_replaced_by_an_older_one() -> None:
    def scenario(threads: Threads) -> None:
        levels = LevelMemory()
        levels.remember("ann", 1500)
        threads.run(partial(levels.recall, "ann"), partial(levels.remember, "ann", 2000))
        asked = levels.recall("ann")
        assert asked is not None
        assert asked.elo == 2000

    interleave(scenario, LevelMemory)


def test_an_action_is_not_queued_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SupervisedLoop, "start", lambda _loop: True)

    def scenario(threads: Threads) -> None:
        actions = ActionQueue("abcdefgh", lambda _timeout_s: True, lambda: False)
        resign = partial(actions.run, Action("resign", lambda: None))
        assert sorted(threads.run(resign, resign)) == [False, True]

    interleave(scenario, ActionQueue)


def test_a_game_that_ends_while_others_are_forgotten_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SupervisedLoop, "start", lambda _loop: True)

    def scenario(threads: Threads) -> None:
        pauses = iter([False, True])
        monkeypatch.setattr(SupervisedLoop, "wait", lambda _loop, _seconds: next(pauses))
        chat = AfterGameChat(cast("Any", SimpleNamespace(read_chat=lambda _game_id: ())), every_s=10.0)
        chat.watch("over0000", print, -1.0)
        threads.run(chat._work, partial(chat.watch, "abcdefgh", print, 60.0))
        assert any(one.until_s > time.monotonic() for one in chat._games)

    interleave(scenario, AfterGameChat)


class OpeningReader(GameReader):
    """Its opening takes too long. `started` counts the threads that were to open the stream in parallel."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        nothing: Any = None
        super().__init__("abcdefgh", nothing, nothing, nothing, Pacer(1.0, 1), lambda: 0.0)
        self.started = 0
        self._opening_s = time.monotonic() - 2 * LONGEST_OPENING_S
        monkeypatch.setattr(game_stream, "start_thread", self._start_thread)

    def _start_thread(self, _purpose: str, _game_id: str, _work: Callable[[], object]) -> bool:
        self.started += 1
        return True


def test_an_opening_that_takes_too_long_is_left_behind_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(threads: Threads) -> None:
        reader = OpeningReader(monkeypatch)
        threads.run(*[partial(reader.reopen, "silent")] * 2)
        assert reader.started == 1

    interleave(scenario, GameReader)


def test_an_opening_is_either_left_behind_or_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads would read for the same game, or none."""

    def scenario(threads: Threads) -> None:
        reader = OpeningReader(monkeypatch)
        is_used, _ = threads.run(partial(reader._is_opened_by, 0), partial(reader.reopen, "silent"))
        assert is_used == (reader.started == 0)

    interleave(scenario, GameReader)
