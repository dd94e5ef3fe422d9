"""Moves on their way: posted until settled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from bot.errors import NetworkError, RateLimited, Rejected, ServerError
from bot.play import outbox
from bot.play.outbox import Delivery, Outbox
from tests.helpers.processes import wait_until


class Wire:
    """Stands for the server: each post takes the next step of a script, then all succeed."""

    def __init__(self, *script: Exception | Callable[[], None]) -> None:
        self.script = list(script)
        self.posts: list[tuple[float, str, bool]] = []
        self.doubts = 0
        self.round_trips: list[float] = []
        self.box = Outbox("abcdefgh", self.post, self.doubt, self.round_trips.append)

    def post(self, uci: str, offering_draw: bool) -> None:
        """One attempt."""
        self.posts.append((time.monotonic(), uci, offering_draw))
        step = self.script.pop(0) if self.script else None
        if isinstance(step, Exception):
            raise step
        if step is not None:
            step()

    def doubt(self) -> None:
        """The stream is not trusted."""
        self.doubts += 1

    def send(self, uci: str = "e2e4", offering_draw: bool = False) -> Delivery:
        """Send a move."""
        delivery = Delivery(1, uci, offering_draw)
        self.box.send(delivery)
        return delivery

    def posted(self, count: int) -> bool:
        """Wait for so many posts."""
        return wait_until(lambda: len(self.posts) >= count)


def wait(event: threading.Event) -> None:
    """Hang until the test is done."""
    event.wait(60)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "LIMITED_S", 0.05)
    monkeypatch.setattr(outbox, "REFUSED_S", (0.02, 0.05))
    monkeypatch.setattr(outbox, "RETRIES_S", (0.0, 0.02))


def test_a_move_is_posted_once_and_then_waits_to_be_shown() -> None:
    wire = Wire()
    delivery = wire.send(offering_draw=True)
    assert wait_until(lambda: delivery.accepted)
    delivery.settled.set()
    other = wire.send("d2d4")
    assert wait_until(lambda: other.accepted)
    wire.box.close()
    assert [post[1:] for post in wire.posts] == [("e2e4", True), ("d2d4", False)]
    assert len(wire.round_trips) == 2
    assert wire.doubts == 0


@pytest.mark.parametrize(
    "error",
    [
        RateLimited(60.0),
        ServerError(502),
        ServerError(504),
        NetworkError("reset"),
        Rejected(400, "Not your turn, or game already over"),
    ],
)
def test_whatever_goes_wrong_the_move_is_posted_again(error: Exception) -> None:
    wire = Wire(error, error)
    delivery = wire.send()
    assert wire.posted(3)
    assert wait_until(lambda: delivery.accepted)
    wire.box.close()


def test_an_accepted_move_that_is_not_shown_makes_the_stream_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 0.02)
    wire = Wire()
    wire.send()
    assert wait_until(lambda: wire.doubts >= 1)
    assert wire.posted(2)
    wire.box.close()


def test_a_refused_move_makes_the_stream_doubted() -> None:
    wire = Wire(*[Rejected(400, "Piece on e7 cannot move to e5")] * 5)
    wire.send()
    assert wait_until(lambda: wire.doubts >= 1)
    wire.box.close()


def test_a_settled_move_is_never_posted_again() -> None:
    wire = Wire(NetworkError("first"))
    delivery = Delivery(1, "e2e4")
    delivery.settled.set()
    wire.box.send(delivery)
    after = wire.send("d2d4")
    assert wait_until(lambda: after.accepted)
    wire.box.close()
    assert all(post[1] == "d2d4" for post in wire.posts)


def test_a_post_that_hangs_gets_a_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    wire = Wire(lambda: wait(release))
    delivery = wire.send()
    assert wire.posted(1)
    wire.box.tick(time.monotonic())  # too early: nothing happens
    assert delivery.rivals == 0
    wire.box.tick(time.monotonic() + outbox.PATIENCE_S + 0.1)
    assert wait_until(lambda: delivery.accepted)
    assert len(wire.posts) == 2
    release.set()
    wire.box.close()


def test_a_post_that_hangs_does_not_hold_the_next_move() -> None:
    release = threading.Event()
    wire = Wire(lambda: wait(release))
    first = wire.send("e2e4")
    assert wire.posted(1)
    first.settled.set()  # the stream shows it though the answer never came
    second = wire.send("d2d4")
    assert wait_until(lambda: second.accepted)
    release.set()
    wire.box.close()


def test_rivals_are_few() -> None:
    release = threading.Event()
    wire = Wire(*[lambda: wait(release)] * 20)
    delivery = wire.send()
    for count in range(1, outbox.MAX_RIVALS + 2):
        assert wire.posted(count)
        wire.box.tick(time.monotonic() + 60.0)
    assert delivery.rivals == outbox.MAX_RIVALS
    wire.box.tick(time.monotonic() + 60.0)
    assert delivery.rivals == outbox.MAX_RIVALS
    release.set()
    wire.box.close()


def test_closing_ends_all_threads() -> None:
    def threads() -> int:
        return sum(thread.name == "outbox-closing0" for thread in threading.enumerate())

    box = Outbox("closing0", lambda _uci, _draw: None, lambda: None, lambda _ms: None)
    box.send(Delivery(1, "e2e4"))
    assert threads() == 1
    box.close()
    assert wait_until(lambda: threads() == 0)
    box.tick(time.monotonic())  # harmless afterwards


def test_a_fault_of_a_library_does_not_leave_a_move_unsent() -> None:
    wire = Wire(AttributeError("'NoneType' object has no attribute 'makefile'"))
    delivery = wire.send()
    assert wait_until(lambda: delivery.accepted)
    wire.box.close()
    assert [post[1] for post in wire.posts] == ["e2e4", "e2e4"]
