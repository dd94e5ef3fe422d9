"""A bare client of the Lichess API for tests: requests, and streams read by a thread."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import requests

DEADLINE_S = 60.0


class Stream:
    """An open ndjson stream: `lines` grows as they come (None for a keep-alive), `error` says how it broke."""

    def __init__(self, response: requests.Response) -> None:
        self.response = response
        self.lines: list[dict[str, Any] | None] = []
        self.raw: list[bytes] = []
        self.times: list[float] = []
        self.error: BaseException | None = None
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for line in self.response.iter_lines(chunk_size=1):
                self.times.append(time.monotonic())
                self.raw.append(line)
                self.lines.append(json.loads(line) if line else None)
        except Exception as error:  # noqa: BLE001 -- kept for the test to look at
            self.error = error
        finally:
            self.ended.set()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines without keep-alives."""
        return [line for line in list(self.lines) if line is not None]

    def wait(self, condition: Callable[[list[dict[str, Any]]], object], what: str = "an event") -> Any:
        """Wait until the condition over the events is true; returns its value."""
        deadline = time.monotonic() + DEADLINE_S
        while not ((events := self.events) and (found := condition(events))):
            assert time.monotonic() < deadline, f"waited for {what}, got {self.events}, {self.error!r}"
            time.sleep(0.005)
        return found

    def wait_for(self, kind: str, number: int = 1) -> dict[str, Any]:
        """The n-th event of a type."""

        def found(events: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
            matching = [event for event in events if event.get("type") == kind]
            return matching if len(matching) >= number else None

        events: list[dict[str, Any]] = self.wait(found, f"{kind} number {number}")
        return events[number - 1]

    def wait_for_end(self) -> None:
        """Wait until the server has closed it, well or badly."""
        assert self.ended.wait(DEADLINE_S), f"the stream is still open, got {self.events}"

    def close(self) -> None:
        """Close from this side."""
        self.response.raw.shutdown()
        self.ended.wait(DEADLINE_S)


class Client:
    """One user's requests."""

    def __init__(self, url: str, token: str | None) -> None:
        self.url = url
        self.session = requests.Session()
        self.session.trust_env = False
        self.streams: list[Stream] = []
        if token is not None:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **arguments: Any) -> requests.Response:
        """GET with a timeout."""
        return self.session.get(self.url + path, timeout=DEADLINE_S, **arguments)

    def post(self, path: str, **arguments: Any) -> requests.Response:
        """POST with a timeout."""
        return self.session.post(self.url + path, timeout=DEADLINE_S, **arguments)

    def delete(self, path: str) -> requests.Response:
        """DELETE with a timeout."""
        return self.session.delete(self.url + path, timeout=DEADLINE_S)

    def stream(self, path: str, **headers: str) -> Stream:
        """Open a stream; raises requests.HTTPError when it is refused."""
        response = self.session.get(self.url + path, stream=True, timeout=DEADLINE_S, headers=headers)
        response.raise_for_status()
        stream = Stream(response)
        self.streams.append(stream)
        return stream

    def close(self) -> None:
        """Close every stream and connection."""
        for stream in self.streams:
            if not stream.ended.is_set():
                stream.close()
        self.session.close()
