"""Threads of pages that meet: each test fails without the locks of the class it names."""

from __future__ import annotations

from functools import partial
from typing import Any

import chess
import pytest

from bot.dashboard.games import SearchNotes
from bot.dashboard.operator_pages import FIRST_PAUSE_S, FREE_FAILURES, Failures, Sessions
from bot.dashboard.picture import Observer, Sources
from bot.engine_pool import Answer
from tests.bot.dashboard.pictures import PLAIN
from tests.helpers.interleave import Threads, interleave


def test_sessions_signed_out_at_once_are_both_over() -> None:
    def scenario(threads: Threads) -> None:
        sessions = Sessions("word")
        cookies = [sessions.sign_in("word", client, 0.0) for client in ("one", "two")]
        threads.run(*(partial(sessions.sign_out, cookie, 1.0) for cookie in cookies))
        assert not any(sessions.is_signed_in(cookie, 2.0) for cookie in cookies)

    interleave(scenario, Sessions)


def test_wrong_passwords_given_at_once_all_count() -> None:
    def scenario(threads: Threads) -> None:
        failures = Failures()
        for _ in range(FREE_FAILURES - 1):
            failures.note("client", 0.0)
        threads.run(*[partial(failures.note, "client", 0.0)] * 2)
        assert failures.pause_s("client", 0.0) == 2 * FIRST_PAUSE_S

    interleave(scenario, Failures)


@pytest.mark.parametrize("meets", [Failures.note, Failures.pause_s], ids=["note", "pause_s"])
def test_a_right_password_may_meet_any_question_about_wrong_ones(meets: Any) -> None:
    def scenario(threads: Threads) -> None:
        failures = Failures()
        for _ in range(FREE_FAILURES):
            failures.note("client", 0.0)
        threads.run(partial(meets, failures, "client", 0.0), partial(failures.forget, "client"))

    interleave(scenario, Failures)


def test_an_answer_is_sorted_in_once() -> None:
    def scenario(threads: Threads) -> None:
        notes = SearchNotes()
        notes.answered("abcdefgh", 0, Answer(chess.Move.from_uci("e2e4"), engine="test"))
        first, second = threads.run(*[partial(notes.of, "abcdefgh")] * 2)
        assert len(first) == len(second) == 1

    interleave(scenario, SearchNotes)


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
