"""The account's stream: opened again and again, and a take-over told from a restart."""

from __future__ import annotations

import queue
from collections.abc import Iterator

from bot.account.account_reader import SOON_S, TAKEN_AFTER, AccountReader, TakeOver
from bot.errors import LichessError, NetworkError, StreamBroken
from bot.events import AccountEvent, ChallengeCanceled
from tests.helpers.processes import wait_until


def test_clean_ends_in_a_row_soon_after_opening_are_a_take_over() -> None:
    watch = TakeOver()
    watch.ended_cleanly(3600.0)
    for _ in range(TAKEN_AFTER - 1):
        assert not watch.suspected
        watch.ended_cleanly(5.0)
    assert watch.suspected


def test_two_graceful_restarts_in_a_row_are_none() -> None:
    watch = TakeOver()
    for _ in range(2):
        watch.ended_cleanly(10.0)
        watch.failed()  # the server is away for a moment
    watch.ended_cleanly(10.0)
    watch.ended_cleanly(10.0)
    assert not watch.suspected


def test_a_stream_that_stays_open_ends_the_suspicion() -> None:
    watch = TakeOver()
    for _ in range(TAKEN_AFTER):
        watch.ended_cleanly(1.0)
    assert watch.suspected
    watch.lived(SOON_S - 1)
    assert watch.suspected
    watch.lived(SOON_S)
    assert not watch.suspected


def test_ends_far_apart_are_no_take_over() -> None:
    watch = TakeOver()
    for _ in range(10):
        watch.ended_cleanly(SOON_S * 2)
    assert not watch.suspected


class Line:
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


class Exchange:
    """Gives out streams, or errors, in the order of a script; then fresh streams for ever."""

    def __init__(self, *script: LichessError) -> None:
        self.script = list(script)
        self.lines: list[Line] = []
        self.heard: list[AccountEvent] = []
        self.openings = 0
        self.reader = AccountReader(self.open, self.hear, self.opened, first_pause_s=0.001, most_pause_s=0.01)

    def open(self) -> Line:
        """Open a stream."""
        if self.script:
            raise self.script.pop(0)
        self.lines.append(Line())
        return self.lines[-1]

    def hear(self, event: AccountEvent) -> None:
        """One event; one of them trips us."""
        if isinstance(event, ChallengeCanceled) and event.challenge_id == "trips":
            raise RuntimeError("a fault of ours")
        self.heard.append(event)

    def opened(self) -> None:
        """Count."""
        self.openings += 1

    def wait_open(self, count: int) -> Line:
        """The stream of the count-th opening."""
        assert wait_until(lambda: self.openings >= count)
        return self.lines[count - 1]


EVENT = ChallengeCanceled("one")


def test_whatever_ends_the_stream_it_is_opened_again() -> None:
    exchange = Exchange(NetworkError("refused"))
    exchange.reader.start()
    first = exchange.wait_open(1)
    first.queue.put(None)
    first.queue.put(EVENT)
    first.queue.put(StreamBroken("cut"))
    second = exchange.wait_open(2)
    assert first.closed
    second.queue.put("end")
    third = exchange.wait_open(3)
    third.queue.put(EVENT)
    assert wait_until(lambda: len(exchange.heard) == 2)
    exchange.reader.close()
    assert wait_until(lambda: not exchange.reader.connected)


def test_a_fault_in_one_event_does_not_cost_the_others() -> None:
    exchange = Exchange()
    exchange.reader.start()
    line = exchange.wait_open(1)
    line.queue.put(ChallengeCanceled("trips"))
    line.queue.put(EVENT)
    assert wait_until(lambda: exchange.heard == [EVENT])
    assert exchange.openings == 1
    exchange.reader.close()


def test_reopening_at_our_own_wish_is_no_take_over() -> None:
    exchange = Exchange()
    exchange.reader.start()
    for count in range(1, TAKEN_AFTER + 3):
        exchange.wait_open(count)
        assert wait_until(lambda: exchange.reader.connected)
        exchange.reader.reopen("the test says so")
    exchange.wait_open(TAKEN_AFTER + 3)
    assert not exchange.reader.take_over.suspected
    exchange.reader.close()


def test_closing_ends_the_thread() -> None:
    exchange = Exchange()
    exchange.reader.start()
    exchange.wait_open(1)
    exchange.reader.close()
    assert wait_until(lambda: not exchange.reader._thread.is_alive())
