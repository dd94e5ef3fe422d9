"""Fixtures of the incidents: a fake server and bots that play on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.fake_lichess import FakeConfig, FakeLichess
from tests.helpers.fake import FAST, make_fake
from tests.helpers.playing import make_bot
from tests.helpers.token_scan import tokens_told

__all__ = ["fake", "make_bot", "make_fake"]


@pytest.fixture(autouse=True)
def no_token_is_told(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """Whatever a test has printed, logged or written into its folder, no token is in it."""
    yield
    sections: list[tuple[str, str, str]] = request.node._report_sections  # what pytest has captured so far
    assert tokens_told(tmp_path, [(name, text) for _when, name, text in sections]) == []


@pytest.fixture
def fake() -> Iterator[FakeLichess]:
    """A fast server whose games end as their opponents' scripts say.

    Engine and opponent shuffle about here, so a threefold repetition comes up by chance now and then; the server's own
    draws by it are tested in tests/fake_lichess/world.
    """
    with FakeLichess(FakeConfig(**FAST, auto_threefold=False)) as server:
        yield server
