"""Writing the log makes nobody wait: full queues, failing destinations, a bounded end."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator

import pytest

from bot.log.queued_handler import FLUSH_S, QueuedHandler
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until


class Destination:
    """Takes lines while `open_gate` is set, fails while `error` is given."""

    name = "test"

    def __init__(self) -> None:
        self.text = ""
        self.closed = 0
        self.error: Exception | None = None
        self.open_gate = threading.Event()
        self.open_gate.set()

    def write(self, text: str) -> None:
        self.open_gate.wait(60)
        if self.error:
            raise self.error
        self.text += text

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def destination() -> Iterator[Destination]:
    found = Destination()
    yield found
    found.open_gate.set()


def record(message: str) -> logging.LogRecord:
    return logging.LogRecord("test", logging.INFO, __file__, 0, message, None, None)


def test_lines_are_written_in_order(destination: Destination) -> None:
    handler = closed_at_end(QueuedHandler(destination))
    for number in range(1000):
        handler.handle(record(str(number)))
    handler.flush()
    assert destination.text.split() == [str(number) for number in range(1000)]


@pytest.mark.parametrize("capacity", [10, 1000])
def test_a_full_queue_drops_counts_and_says_so(
    destination: Destination, caplog: pytest.LogCaptureFixture, capacity: int
) -> None:
    handler = closed_at_end(QueuedHandler(destination, capacity=capacity))
    destination.open_gate.clear()
    handler.handle(record("first"))
    assert wait_until(handler.queue.empty)
    begun = time.monotonic()
    for number in range(capacity + 20):
        handler.handle(record(str(number)))
    assert time.monotonic() - begun < 20.0
    assert handler.dropped == 20
    assert [one.getMessage() for one in caplog.records] == [
        "log destination test does not take its lines; lines are dropped until it works again"
    ]
    destination.open_gate.set()
    handler.flush()
    assert wait_until(lambda: handler.dropped == 0)
    assert destination.text.split("\n")[-2:] == ["20 log lines were dropped", ""]
    assert destination.text.split("\n")[: capacity + 1] == ["first", *map(str, range(capacity))]


def test_a_failing_destination_is_named_once_and_counted(
    destination: Destination, caplog: pytest.LogCaptureFixture
) -> None:
    handler = QueuedHandler(destination)
    destination.error = OSError(28, "No space left on device")
    for number in range(5):
        handler.handle(record(str(number)))
        handler.flush()
    assert [one.getMessage() for one in caplog.records] == [
        "log destination test cannot be written: [Errno 28] No space left on device; "
        "lines are dropped until it works again"
    ]
    destination.error = None
    handler.handle(record("again"))
    handler.close()
    assert destination.text == "again\n5 log lines were dropped\n"


def test_a_count_that_cannot_be_written_is_kept_and_written_later(destination: Destination) -> None:
    handler = QueuedHandler(destination)
    write, full = destination.write, OSError(28, "No space left on device")

    def refuse_counts(text: str) -> None:
        if "dropped" in text:
            raise full
        write(text)

    destination.error = full
    handler.handle(record("lost"))
    handler.flush()
    destination.error = None
    destination.write = refuse_counts  # type: ignore[method-assign]  # the disk takes one line and no more
    handler.handle(record("first"))
    handler.flush()
    assert (destination.text, handler.dropped) == ("first\n", 1)
    destination.write = write  # type: ignore[method-assign]  # as it was
    handler.handle(record("second"))
    handler.close()
    assert destination.text == "first\nsecond\n1 log lines were dropped\n"


@pytest.mark.slow
def test_a_blocked_destination_ends_in_bounded_time(destination: Destination) -> None:
    handler = QueuedHandler(destination)
    destination.open_gate.clear()
    handler.handle(record("stuck"))
    begun = time.monotonic()
    handler.flush()
    handler.close()
    assert time.monotonic() - begun < 2 * FLUSH_S + 10.0
    assert destination.closed == 0, "its thread may still write"
    assert handler._listener._thread.daemon, "else the program could not end"


def test_close_writes_what_is_queued(destination: Destination) -> None:
    handler = QueuedHandler(destination)
    for number in range(500):
        handler.handle(record(str(number)))
    handler.close()
    assert len(destination.text.split()) == 500
    handler.close()
    assert destination.closed == 1
    handler.handle(record("late"))
    assert handler.dropped == 1


def test_a_pipe_that_nobody_reads_blocks_nobody() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:

        class Pipe:
            name = "pipe"

            def write(self, text: str) -> None:
                stream.write(text)
                stream.flush()

            def close(self) -> None:
                """The stream is closed where it was opened."""

        handler = QueuedHandler(Pipe())
        begun = time.monotonic()
        for _ in range(2000):
            handler.handle(record("x" * 200))
        assert time.monotonic() - begun < 20.0
        os.close(reading)  # the writer's thread comes free with EPIPE
        handler.close()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)  # what the stream still buffers has a place to go


def test_each_outage_is_said(destination: Destination, caplog: pytest.LogCaptureFixture) -> None:
    handler = QueuedHandler(destination)
    for error in (OSError("full"), None, ValueError("closed"), None):
        destination.error = error
        handler.handle(record("line"))
        handler.flush()
    handler.close()
    assert [one.getMessage().split("; ")[0] for one in caplog.records] == [
        "log destination test cannot be written: full", "log destination test cannot be written: closed",
    ]  # fmt: skip
    assert destination.text.count("1 log lines were dropped\n") == 2


def test_it_tells_whether_a_line_was_wanted(destination: Destination) -> None:
    handler = QueuedHandler(destination)
    handler.addFilter(lambda one: one.getMessage() != "unwanted")
    assert handler.handle(record("wanted"))
    assert not handler.handle(record("unwanted"))
    handler.close()
    assert destination.text == "wanted\n"


def test_a_line_that_cannot_be_formatted_is_reported(
    destination: Destination, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    handler = QueuedHandler(destination)
    handler.handle(logging.LogRecord("test", logging.INFO, __file__, 0, "%d lines", ("many",), None))
    handler.handle(record("next"))
    handler.close()
    assert destination.text == "next\n"
    assert [one.getMessage() for one in caplog.records] == ["a log line of test cannot be formatted: '%d lines'"]
    assert capfd.readouterr().err == "", "no traceback"
