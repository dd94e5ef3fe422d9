"""Check everything that a fake server in this process sends during a test against the official schemas, strictly.

Lines of one shape are checked once, numbers and free texts levelled: a game of 200 moves costs what one of two does.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.fake_lichess.http import endpoint
from bot.fake_lichess.wire.responses import Response
from tests.helpers.schema import SentMessage, StrictSchemas
from tests.helpers.shared import SHARED

SPEC_FILE = SHARED / "data" / "lichess-api" / "lichess-api-full.json"
MISSING = "needs ../shared/data/lichess-api: this run does not check the fake Lichess against the official schemas"


@pytest.fixture(scope="session")
def sent_messages() -> Iterator[list[SentMessage]]:
    """Everything that was sent since the last check."""
    messages: list[SentMessage] = []

    def tap(spec: endpoint.Spec, response: Response) -> None:
        text = response.content().decode("utf-8", "replace")
        messages.append(SentMessage(spec.method, spec.path, response.status, response.media, text))

    endpoint.taps.append(tap)
    yield messages
    endpoint.taps.remove(tap)


@pytest.fixture(scope="session")
def strict_schemas() -> StrictSchemas | None:
    """The official schemas in strict mode; None where they are absent."""
    return StrictSchemas(SPEC_FILE) if SPEC_FILE.exists() else None


@pytest.fixture(autouse=True)
def fake_speaks_by_the_schemas(
    sent_messages: list[SentMessage], strict_schemas: StrictSchemas | None
) -> Iterator[None]:
    """Fails a test in which a fake server sent what the official schemas forbid."""
    yield
    found = list(sent_messages)
    del sent_messages[: len(found)]
    if strict_schemas is None:
        return
    problems = [problem for message in found for problem in strict_schemas.problems(message)]
    assert not problems, "the fake Lichess broke the official schemas:\n" + "\n".join(problems[:20])
