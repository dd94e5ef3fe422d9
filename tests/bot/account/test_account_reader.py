"""The account's stream is opened again and again, whatever ends it."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

from structlog.testing import capture_logs

from bot.account.account_reader import CONFLICT_PAUSES_S, REMIND_S, AccountReader
from bot.account.token_conflict import CONFLICT_AFTER
from bot.errors import LichessError, NetworkError, RateLimited, StreamBroken, Unauthorized
from bot.events import AccountEvent, ChallengeCanceled
from tests.helpers.processes import wait_until


class FedStream:
    """A stream fed by the test: events, None, an error to raise, or "end"."""

    def __init__(self) -> None:
        self.queue: queue.Queue[AccountEvent | LichessError | str | None] = queue.Queue()
        self.closed = False

    def __iter__(self) -> Iterator[AccountEvent | None]:
        while (item := self.queue.get()) != "end":
            if isinstance(item, LichessError):
                raise item
            yield item  # type: ignore[misc]  # the one string is "end"

    def close(self) -> None:
        """End the iteration."""
        self.closed = True
        self.queue.put("end")


class ReaderHarness:
    """Gives out streams, or errors, in the order of a script; then fresh streams for ever."""

    def __init__(self, *script: LichessError, **pauses: Any) -> None:
        self.script = list(script)
        self.streams: list[FedStream] = []
        self.events: list[AccountEvent] = []
        self.openings = 0
        quick: dict[str, Any] = {"first_pause_s": 0.001, "max_pause_s": 0.01, "conflict_pauses_s": (0.001, 0.01)}
        self.reader = AccountReader(self.open, self.on_event, self.on_open, **(quick | pauses))

    def open(self) -> FedStream:
        """Open a stream."""
        if self.script:
            raise self.script.pop(0)
        self.streams.append(FedStream())
        return self.streams[-1]

    def on_event(self, event: AccountEvent) -> None:
        """One event; one of them fails."""
        if isinstance(event, ChallengeCanceled) and event.challenge_id == "fails":
            raise RuntimeError("a fault of ours")
        self.events.append(event)

    def on_open(self) -> None:
        """Count."""
        self.openings += 1

    def wait_open(self, count: int) -> FedStream:
        """The stream of the count-th opening."""
        assert wait_until(lambda: self.openings >= count)
        return self.streams[count - 1]

    def pauses(self, count: int) -> list[float]:
        """The pauses after so many attempts, without a thread; every stream ends cleanly at once."""
        found = []
        for _ in range(count):
            if not self.script:
                self.streams.append(FedStream())
                self.streams[-1].queue.put("end")
                self.reader._open_stream = lambda: self.streams[-1]
            found.append(self.reader._read_once())
        return found


EVENT = ChallengeCanceled("one")


def test_whatever_ends_the_stream_it_is_opened_again() -> None:
    harness = ReaderHarness(NetworkError("refused"))
    harness.reader.start()
    first = harness.wait_open(1)
    first.queue.put(None)
    first.queue.put(EVENT)
    first.queue.put(StreamBroken("cut"))
    second = harness.wait_open(2)
    assert first.closed
    second.queue.put("end")
    third = harness.wait_open(3)
    third.queue.put(EVENT)
    assert wait_until(lambda: len(harness.events) == 2)
    harness.reader.close()
    assert wait_until(lambda: not harness.reader.connected)


def test_a_fault_in_one_event_does_not_cost_the_others() -> None:
    harness = ReaderHarness()
    harness.reader.start()
    line = harness.wait_open(1)
    line.queue.put(ChallengeCanceled("fails"))
    line.queue.put(EVENT)
    assert wait_until(lambda: harness.events == [EVENT])
    assert harness.openings == 1
    harness.reader.close()


def test_a_fault_outside_the_events_does_not_end_the_reading() -> None:
    harness = ReaderHarness()
    harness.script = [RecursionError("nested too deep")]  # type: ignore[list-item]  # no error of the tree
    harness.reader.start()
    harness.wait_open(1).queue.put(EVENT)
    assert wait_until(lambda: harness.events == [EVENT])
    harness.reader.close()


def test_reopening_at_our_own_wish_is_no_conflict() -> None:
    harness = ReaderHarness()
    harness.reader.start()
    for count in range(1, CONFLICT_AFTER + 3):
        harness.wait_open(count)
        assert wait_until(lambda: harness.reader.connected)
        harness.reader.reopen("the test says so")
    harness.wait_open(CONFLICT_AFTER + 3)
    assert not harness.reader.token_conflict.suspected
    harness.reader.close()


def test_a_second_program_is_named_once_and_then_the_stream_is_opened_rarely() -> None:
    harness = ReaderHarness(conflict_pauses_s=CONFLICT_PAUSES_S)
    with capture_logs() as lines:
        found = harness.pauses(CONFLICT_AFTER + 8)
    named = [line for line in lines if line["event"] == "token_used_twice"]
    assert len(named) == 1
    assert "stop it" in named[0]["remedy"]
    assert max(found[: CONFLICT_AFTER - 1]) < 1.0
    rare = found[CONFLICT_AFTER - 1 :]
    assert min(rare) >= CONFLICT_PAUSES_S[0] / 2
    assert rare[-1] >= CONFLICT_PAUSES_S[1] / 2


def test_a_second_program_that_stays_is_named_again_after_a_while() -> None:
    harness = ReaderHarness()
    harness.pauses(CONFLICT_AFTER)
    named_s = harness.reader._conflict_named_s
    assert named_s is not None
    harness.reader._conflict_named_s = named_s - REMIND_S - 1.0
    with capture_logs() as lines:
        harness.pauses(2)
    assert [line["event"] for line in lines].count("token_used_twice") == 1


def test_a_rejected_token_shows_until_the_stream_opens() -> None:
    harness = ReaderHarness(*[Unauthorized(401, "No such token")] * 3)
    harness.pauses(3)
    assert harness.reader.token_rejected
    harness.pauses(1)
    assert not harness.reader.token_rejected


def test_a_limit_is_waited_for() -> None:
    (pause_s,) = ReaderHarness(RateLimited(33.0)).pauses(1)
    assert 33.0 <= pause_s <= 50.0


def test_closing_ends_the_thread() -> None:
    harness = ReaderHarness()
    harness.reader.start()
    harness.wait_open(1)
    harness.reader.close()
    assert wait_until(lambda: not harness.reader._loop.running)


def test_openings_and_signs_of_life_are_noted() -> None:
    harness = ReaderHarness()
    assert (harness.reader.openings, harness.reader.last_line_s) == (0, None)
    harness.reader.start()
    assert wait_until(lambda: harness.reader.openings == 1)
    opened_s = harness.reader.last_line_s
    assert opened_s is not None
    harness.streams[0].queue.put(None)
    assert wait_until(lambda: (harness.reader.last_line_s or 0.0) > opened_s)
    harness.streams[0].queue.put("end")
    assert wait_until(lambda: harness.reader.openings == 2)
    harness.reader.close()


def test_closed_while_the_stream_is_being_opened_it_does_not_read_on() -> None:
    harness = ReaderHarness()
    opening = harness.open

    def open_and_close() -> FedStream:
        harness.reader.close()
        return opening()

    harness.reader._open_stream = open_and_close
    harness.reader.start()
    assert harness.reader._loop.join(30.0)
    assert harness.streams[0].closed
    assert harness.openings == 0
