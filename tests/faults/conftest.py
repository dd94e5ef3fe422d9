"""Fixtures of the tests of faults: a fake server, and bots that play on it."""

from __future__ import annotations

from tests.helpers.playing import make_bot
from tests.helpers.running_bot import run
from tests.integration.conftest import fake, make_fake, no_token_is_told

__all__ = ["fake", "make_bot", "make_fake", "no_token_is_told", "run"]
