"""Fixtures of the incidents: a fake server and bots that play on it."""

from tests.helpers.fake import fake, make_fake
from tests.helpers.playing import make_bot

__all__ = ["fake", "make_bot", "make_fake"]
