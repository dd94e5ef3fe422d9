"""One game's stream: opened again until the game is known to be over."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

from bot.errors import LichessError, NetworkError, NotFound, RateLimited, StreamBroken
from bot.events import GameEvent
from bot.play import game_stream
from bot.play.game_stream import GameReader
from tests.helpers.games import full, state
from tests.helpers.processes import wait_until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "PAUSES_S", (0.001,))


class Line:
    """A stream fed by the test."""

    def __init__(self, *items: object) -> None:
        self.queue: queue.Queue[object] = queue.Queue()
        for item in items:
            self.queue.put(item)

    def __iter__(self) -> Iterator[GameEvent | None]:
        while (item := self.queue.get()) != "end":
            if isinstance(item, Exception):
                raise item
            yield item  # type: ignore[misc]  # the test puts events only

    def close(self) -> None:
        """End."""
        self.queue.put("end")


class Desk:
    """The reader with its surroundings; `script` is what each opening gives, then it stays open and silent."""

    def __init__(self, *script: Line | LichessError, ongoing: bool | LichessError = True, over_at: int = 10**9) -> None:
        self.script = list(script)
        self.ongoing = ongoing
        self.over_at = over_at
        self.openings = 0
        self.heard: list[GameEvent | None] = []
        self.vanished = 0
        self.reader = GameReader("abcdefgh", self.open, self.hear, self.is_ongoing, self.vanish)
        self.reader.start()

    def open(self, _game_id: str) -> Line:
        """Next of the script."""
        self.openings += 1
        step = self.script.pop(0) if self.script else Line()
        if isinstance(step, LichessError):
            raise step
        return step

    def hear(self, event: GameEvent | None, _now_s: float) -> bool:
        """Note; a plain exception in place of an event stands for a fault of ours."""
        self.heard.append(event)
        return len(self.heard) < self.over_at

    def is_ongoing(self, _game_id: str) -> bool:
        """The server's list."""
        if isinstance(self.ongoing, LichessError):
            raise self.ongoing
        return self.ongoing

    def vanish(self) -> None:
        """Not on the list."""
        self.vanished += 1

    def stopped(self) -> bool:
        """Wait for the thread's end."""
        return wait_until(lambda: not self.reader._thread.is_alive())


def test_breaks_refusals_and_limits_lead_to_another_opening() -> None:
    queue = Desk(
        NetworkError("refused"),
        RateLimited(0.001),
        Line(full(), StreamBroken("cut")),
        Line(full(), RuntimeError("ours")),
    )
    assert wait_until(lambda: queue.openings == 5)
    assert len(queue.heard) == 2
    queue.reader.stop()
    assert queue.stopped()
    assert queue.vanished == 0


def test_the_end_of_the_game_ends_the_reading() -> None:
    queue = Desk(Line(full(), state("e2e4"), state("e2e4", status="resign")), over_at=3)
    assert queue.stopped()
    assert queue.openings == 1


def test_reopening_comes_at_once() -> None:
    queue = Desk(Line(full()))
    assert wait_until(lambda: len(queue.heard) == 1)
    queue.reader.reopen()
    assert wait_until(lambda: queue.openings == 2)
    queue.reader.stop()
    assert queue.stopped()


def test_a_game_that_ends_its_stream_again_and_again_is_looked_up() -> None:
    """The server may close the stream of a game that it still calls started; then its list of games decides."""
    queue = Desk(*[Line(full(), "end") for _ in range(5)], ongoing=False)
    assert queue.stopped()
    assert queue.vanished == 1
    assert queue.openings == game_stream.BARREN_OPENINGS


def test_a_game_on_the_list_is_never_given_up() -> None:
    queue = Desk(*[Line(full(), "end") for _ in range(12)], ongoing=True)
    assert wait_until(lambda: queue.openings == 13)
    queue.reader.stop()
    assert queue.vanished == 0


def test_not_found_is_believed_only_with_the_list() -> None:
    unsure = Desk(NotFound(404), NotFound(404), ongoing=NetworkError("refused"))
    assert wait_until(lambda: unsure.openings == 3)
    unsure.reader.stop()
    assert unsure.vanished == 0
    gone = Desk(NotFound(404), ongoing=False)
    assert gone.stopped()
    assert gone.vanished == 1
