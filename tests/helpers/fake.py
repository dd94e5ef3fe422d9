"""Fixtures over the fake server: import them in a conftest, or use `running_fake` for one with other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from bot.fake_lichess import FakeConfig, FakeLichess
from tests.helpers.engines import scoring_engine

FAST: dict[str, Any] = {"allow_any_clock": True, "rate_limits": False, "seed": 88, "spectator_delay_s": 0}


@pytest.fixture
def fake() -> Iterator[FakeLichess]:
    """A running server with short clocks allowed and without rate limits."""
    with FakeLichess(FakeConfig(**FAST)) as server:
        yield server


@pytest.fixture
def make_fake() -> Iterator[Callable[..., FakeLichess]]:
    """Start servers with chosen settings; all are stopped at the end."""
    with ExitStack() as stack:

        def start(**settings: Any) -> FakeLichess:
            return stack.enter_context(FakeLichess(FakeConfig(**(FAST | settings))))

        yield start


@pytest.fixture(name="fake")
def fake_with_engine(make_fake: Callable[..., FakeLichess]) -> FakeLichess:
    """A server like `fake` with an engine for analysis whose scores are known."""
    return make_fake(analysis_engine=scoring_engine())
