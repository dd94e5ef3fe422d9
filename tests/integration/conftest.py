"""Fixtures of the incidents: a fake server and bots that play on it."""

from collections.abc import Iterator

import pytest

from bot.fake_lichess import FakeConfig, FakeLichess
from tests.helpers.fake import FAST, make_fake
from tests.helpers.playing import make_bot

__all__ = ["fake", "make_bot", "make_fake"]


@pytest.fixture
def fake() -> Iterator[FakeLichess]:
    """A fast server whose games end as their opponents' scripts say.

    Engine and opponent shuffle about here, so a threefold repetition comes up by chance now and then; the server's own
    draws by it are tested in tests/fake_lichess/world.
    """
    with FakeLichess(FakeConfig(**FAST, auto_threefold=False)) as server:
        yield server
