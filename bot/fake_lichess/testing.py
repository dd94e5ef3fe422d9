"""A pytest plugin for authors of bots: a running fake Lichess per test.

The distribution `fake-lichess` registers it. Beside bot88, name it in the conftest.py at the tests' root:

    pytest_plugins = ["bot.fake_lichess.testing"]

Fixture `fake_lichess` is a started `FakeLichess`; override `fake_lichess_config` for other settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest imports this module at every start, also for tests that need no server
    from .config import FakeConfig
    from .control import FakeLichess


@pytest.fixture
def fake_lichess_config() -> FakeConfig:
    """Settings of the server: any clock, no rate limits, a fixed seed. Override it for others."""
    from .config import FakeConfig

    return FakeConfig(allow_any_clock=True, rate_limits=False, seed=1)


@pytest.fixture
def fake_lichess(fake_lichess_config: FakeConfig) -> Iterator[FakeLichess]:
    """A fake Lichess on a free port of this machine, stopped after the test."""
    from .control import FakeLichess

    with FakeLichess(fake_lichess_config) as server:
        yield server
