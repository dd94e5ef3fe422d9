"""What a test has begun: builders register how to end it, and a fixture in tests/conftest.py does so after the test."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Protocol, TypeVar


class Closable(Protocol):
    """Anything with a `close`."""

    def close(self) -> object:
        """End it."""


T = TypeVar("T", bound=Closable)

ENDINGS = ExitStack()


def closed_at_end(one: T) -> T:
    """Close it after the test. Return it."""
    ENDINGS.callback(one.close)
    return one
