"""Checks everything that any fake server sends during a test against the official schemas, in a strict mode.

Servers in this process are tapped directly; those in other processes write to a folder that FAKE_LICHESS_TAP names.
Lines of one shape are checked once, numbers and free texts levelled: a game of 200 moves costs what one of two does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.fake_lichess.wire import wire_tap
from tests.helpers.schema import StrictSchemas
from tests.helpers.shared import SHARED

SPEC_FILE = SHARED / "data" / "lichess-api" / "lichess-api-full.json"
MISSING = "needs ../shared/data/lichess-api: what the fake Lichess says in this run is not checked against its schemas"


class TapReader:
    """Collects what was sent, here and in other processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.messages: list[wire_tap.TappedMessage] = []
        self._read: dict[Path, int] = {}

    def add(self, message: wire_tap.TappedMessage) -> None:
        """A sink for servers in this process."""
        self.messages.append(message)

    def drain(self) -> list[wire_tap.TappedMessage]:
        """Everything sent since the last call."""
        found, self.messages = self.messages, []
        for path in self.folder.glob("*.ndjson"):
            found += self._new_in(path)
        return found

    def _new_in(self, path: Path) -> list[wire_tap.TappedMessage]:
        with path.open("rb") as file:
            file.seek(self._read.get(path, 0))
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read[path] = self._read.get(path, 0) + len(whole)
        return [wire_tap.TappedMessage(**json.loads(line)) for line in whole.splitlines()]


@pytest.fixture(scope="session")
def tap_reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TapReader | None]:
    """The tap of this test session; None where the schemas are absent."""
    if not SPEC_FILE.exists():
        yield None
        return
    reader = TapReader(tmp_path_factory.mktemp("fake_lichess_tap"))
    wire_tap.sinks.append(reader.add)
    before = os.environ.get(wire_tap.ENVIRONMENT_KEY)
    os.environ[wire_tap.ENVIRONMENT_KEY] = str(reader.folder)
    yield reader
    wire_tap.sinks.remove(reader.add)
    os.environ.pop(wire_tap.ENVIRONMENT_KEY)
    if before is not None:
        os.environ[wire_tap.ENVIRONMENT_KEY] = before


@pytest.fixture(scope="session")
def strict_schemas() -> StrictSchemas | None:
    """The official schemas in strict mode; None where they are absent."""
    return StrictSchemas(SPEC_FILE) if SPEC_FILE.exists() else None


@pytest.fixture(autouse=True)
def fake_speaks_by_the_schemas(tap_reader: TapReader | None, strict_schemas: StrictSchemas | None) -> Iterator[None]:
    """Fails a test in which a fake server sent what the official schemas forbid."""
    yield
    if tap_reader is None or strict_schemas is None:
        return
    problems = [problem for message in tap_reader.drain() for problem in strict_schemas.problems(message)]
    assert not problems, "the fake Lichess broke the official schemas:\n" + "\n".join(problems[:20])
