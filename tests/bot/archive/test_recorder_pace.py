"""How often the server is asked for the result of a game: ever more rarely about one, never many at once."""

from __future__ import annotations

import itertools
import threading
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.archive import recorder as game_recorder
from bot.archive.game_archive import GameArchive
from bot.archive.recorder import (
    BETWEEN_LOOK_UPS_S,
    FIRST_LOOK_UP_S,
    IDLE_S,
    PAUSES_S,
    START_LOOK_UP_S,
    GameRecorder,
)
from bot.archive.store import Store
from bot.backoff import exponential_s
from bot.errors import NetworkError, StoreError
from bot.events import GameExport, GameInfo, Player
from bot.play.game import Game
from bot.play.observer import EndedGame
from tests.helpers.finished_games import FOOLS_MATE, finished

INFO = GameInfo("abcdefgh", "white", Player("alice", "Alice"))


class Pace:
    """A recorder without its thread; every question is noted with its moment and gets no answer."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.asked: list[tuple[float, str]] = []
        store = Store()
        self.recorder = GameRecorder(
            GameArchive(store, "me", "https://lichess.test", None), store, self.export, lambda _game_id: False
        )

    def export(self, game_id: str) -> GameExport:
        """Note it."""
        self.asked.append((self.now_s, game_id))
        raise NetworkError("cut")

    def ask(self, count: int) -> list[float]:
        """Let the recorder ask so often, waiting as it says; returns the pauses between."""
        begun = len(self.asked)
        while len(self.asked) < begun + count:
            self.now_s += self.recorder._wait_s(self.now_s)
            self.recorder._look_up_next(self.now_s)
        moments = [moment for moment, _ in self.asked[begun:]]
        return [later - earlier for earlier, later in itertools.pairwise(moments)]


def test_one_game_is_asked_for_ever_more_rarely() -> None:
    pace = Pace()
    pace.recorder._add_look_up("abcdefgh", 7.0)
    found = pace.ask(13)
    assert pace.asked[0][0] == 7.0
    for number, pause_s in enumerate(found):
        nominal_s = exponential_s(*PAUSES_S, number)
        assert 0.5 * nominal_s <= pause_s <= 1.5 * nominal_s


def test_many_games_are_asked_for_one_after_the_other_the_longest_due_first() -> None:
    pace = Pace()
    for number in range(20):
        pace.recorder._add_look_up(f"game{number:04}", 100.0 - number)
    pace.now_s = 200.0
    assert pace.ask(20) == pytest.approx([BETWEEN_LOOK_UPS_S] * 19)
    assert [game_id for _, game_id in pace.asked[:3]] == ["game0019", "game0018", "game0017"]


def test_a_game_told_again_is_not_asked_for_sooner() -> None:
    pace = Pace()
    pace.recorder._add_look_up("abcdefgh", 7.0)
    pace.recorder._add_look_up("abcdefgh", 0.0)
    assert pace.recorder._wait_s(0.0) == 7.0


def test_the_first_question_leaves_time_for_the_last_line_of_the_stream_and_for_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_recorder, "time", SimpleNamespace(monotonic=lambda: 50.0))
    pace = Pace()
    pace.recorder.ended(EndedGame(INFO.game_id))
    task = pace.recorder._tasks.get()
    assert task is not None
    task()
    assert pace.recorder._wait_s(50.0) == FIRST_LOOK_UP_S
    again = Pace()
    again.recorder._store.note_begun("abcdefgh")
    again.recorder._take_up_unfinished()
    assert again.recorder._wait_s(50.0) == START_LOOK_UP_S


@pytest.mark.parametrize(("game", "is_kept"), [(None, False), ("running", False), ("over", True)])
def test_only_a_game_whose_end_its_loop_has_seen_is_kept_without_a_question(game: str | None, is_kept: bool) -> None:
    pace = Pace()
    seen = finished(FOOLS_MATE, "mate" if game == "over" else "started", "black" if game == "over" else "")
    pace.recorder.ended(EndedGame(INFO.game_id, Game(seen, "me", 0.0) if game else None))
    task = pace.recorder._tasks.get()
    assert task is not None
    task()
    assert (pace.recorder._wait_s(0.0) == IDLE_S) is is_kept
    assert pace.recorder._store.has_finished_game("abcdefgh") is is_kept


def test_an_export_that_no_board_can_follow_is_given_up() -> None:
    pace = Pace()
    pace.recorder._store.note_begun("abcdefgh")
    pace.recorder._export_game = lambda game_id: GameExport(game_id, "mate", "white", ("e4", "e4"))
    pace.recorder._add_look_up("abcdefgh", 0.0)
    with capture_logs() as lines:
        pace.recorder._look_up_next(0.0)
    assert [(line["event"], line["game_id"]) for line in lines] == [("game_without_result", "abcdefgh")]
    assert pace.recorder._store.unfinished_games() == []
    assert pace.recorder._wait_s(5.0) == IDLE_S


def test_a_recorder_that_does_not_come_to_its_end_is_said() -> None:
    pace, released = Pace(), threading.Event()

    def hang() -> None:
        released.wait(60)

    pace.recorder._tasks.put(hang)
    pace.recorder.start()
    with capture_logs() as lines:
        pace.recorder.close(0.01)
    assert [line["event"] for line in lines] == ["games_not_kept_yet"]
    released.set()
    assert pace.recorder._loop.join(30.0)


def test_a_recorder_that_comes_to_its_end_says_nothing() -> None:
    pace = Pace()
    with capture_logs() as lines:
        pace.recorder.start()
        pace.recorder.close()
        never_started = Pace()
        never_started.recorder.close()
    assert lines == []


def test_a_store_that_fails_is_waited_for_ever_longer_until_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Pace()
    waits_s: list[float] = []
    done: list[str] = []
    errors = [StoreError("locked")] * 4

    def task() -> None:
        if errors:
            raise errors.pop()
        done.append("kept")

    monkeypatch.setattr(pace.recorder._loop, "wait", waits_s.append)
    pace.recorder._tasks.put(task)
    with capture_logs() as lines:
        monkeypatch.setattr(pace.recorder, "_wait_s", lambda _now: 0.0)
        monkeypatch.setattr(pace.recorder, "_look_up_next", lambda _now: pace.recorder._tasks.put(None))
        pace.recorder._work()
    assert done == ["kept"]
    assert [line["event"] for line in lines] == ["game_not_kept_yet"] * 4
    for number, wait_s in enumerate(waits_s):
        assert 0.5 * 2**number <= wait_s <= 1.5 * 2**number
    assert pace.recorder._store_backoff.failures == 0


def test_without_a_question_the_thread_only_waits() -> None:
    pace = Pace()
    assert pace.recorder._wait_s(5.0) == IDLE_S
    pace.recorder._look_up_next(5.0)
    assert pace.asked == []
