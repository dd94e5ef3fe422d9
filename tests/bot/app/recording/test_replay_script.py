"""The order in which a record is played again: lines come, requests are waited for, what differs is named."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from bot.app.recording.record import Entry, Record
from bot.app.recording.replay_script import ReplayScript


def post(path: str, t: float = 0.0) -> Entry:
    return Entry(t, "post", {"path": path})


def answer(path: str, status: int) -> Entry:
    return Entry(0.0, "answer", {"path": path, "status": status})


def line(text: str, t: float = 0.0) -> Entry:
    return Entry(t, "line", {"text": text})


OPEN, END = Entry(0.0, "open", {}), Entry(0.0, "end", {"error": "cut"})


class Played:
    """A script, what it told, and its stream as the bot reads it."""

    def __init__(self, *entries: Entry, **how: Any) -> None:
        self.told: list[str] = []
        self.closed = False
        record = Record("abcdefgh", "me", entries)
        self.script = ReplayScript(record, lambda _seconds, text: self.told.append(text), **how)

    def next(self, begun: bool = False) -> str | None:
        """The text of the next line, the error of the next end, None where the stream is to be opened anew."""
        entry = self.script.next(lambda: self.closed, begun)
        return None if entry is None else entry.text("text") or entry.text("error")


def test_a_stream_gives_its_lines_and_its_end_and_the_next_one_goes_on() -> None:
    played = Played(OPEN, line("one"), line("two"), END, OPEN, line("three"))
    assert [played.next(), played.next(True), played.next(True)] == ["one", "two", "cut"]
    assert played.next(True) is None, "the record opens another stream"
    assert played.next(False) == "three"
    assert not played.script.exhausted.is_set()


def test_an_end_before_the_stream_was_opened_is_none_of_its() -> None:
    assert Played(END, OPEN, line("one")).next() == "one"


def test_behind_the_last_line_it_waits_until_it_is_closed() -> None:
    played = Played(OPEN, line("one"))
    assert played.next() == "one"
    threading.Timer(0.05, lambda: setattr(played, "closed", True)).start()
    assert played.next(True) is None
    assert played.script.exhausted.is_set()


def test_a_line_waits_for_the_request_before_it() -> None:
    played = Played(OPEN, post("move/e2e4"), line("after the move"), patience_s=60.0)
    timer = threading.Timer(0.05, played.script.made, args=("move/e2e4",))
    timer.start()
    assert played.next() == "after the move"
    timer.join()
    assert played.told == ["> move/e2e4  (as recorded)"]
    assert played.script.differences() == []


def test_a_request_that_is_not_made_is_waited_for_no_longer_than_patience() -> None:
    played = Played(OPEN, post("draw/no"), post("chat"), line("goes on"), patience_s=0.01)
    assert played.next() == "goes on"
    assert played.told == ["  draw/no was made here when this was recorded"]
    assert played.script.differences() == ["only recorded: draw/no", "only recorded: chat"]


def test_each_recorded_request_is_met_by_one_that_was_made() -> None:
    played = Played(OPEN, post("abort"), post("abort"), line("x"), patience_s=0.01)
    played.script.made("abort")
    assert played.next() == "x"
    assert played.told[1:] == ["  abort was made here when this was recorded"]


def test_what_is_made_gets_the_answers_of_then_in_their_order() -> None:
    played = Played(OPEN, post("abort"), answer("abort", 0), answer("stream", 502), answer("abort", 200))
    found = [played.script.made(path) for path in ("abort", "abort", "abort", "resign")]
    assert [None if entry is None else entry.number("status") for entry in found] == [0, 200, None, None]
    assert played.told[0] == "> abort  (as recorded)"
    assert played.told[-1] == "> resign  (NOT in the record)"
    assert played.script.differences() == ["only now: resign"]


def test_an_opening_is_refused_as_often_as_it_was() -> None:
    played = Played(answer("stream", 502), answer("abort", 200), answer("stream", 429), OPEN, answer("stream", 404))
    found = [played.script.refusal() for _ in range(4)]
    assert [None if entry is None else entry.number("status") for entry in found] == [502, 429, None, None]


@pytest.mark.parametrize(("speed", "pauses"), [(1.0, [1.5, 0.5]), (2.0, [0.75, 0.25]), (0.0, [])])
def test_the_pauses_are_those_of_the_record(speed: float, pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("bot.app.recording.replay_script.time.sleep", slept.append)
    played = Played(OPEN, line("one", 1.5), line("two", 2.0), speed=speed)
    assert (played.next(), played.next(True)) == ("one", "two")
    assert [pause for pause in slept if pause] == pauses


def test_how_far_into_the_record_we_are() -> None:
    played = Played(Entry(10.0, "open", {}), line("one", 11.5), line("two", 14.0))
    assert played.script.seconds == 0.0
    played.next()
    assert played.script.seconds == 4.0, "what comes next"
    played.next(True)
    assert played.script.seconds == 4.0
