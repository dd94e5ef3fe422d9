"""A stand-alone Lichess for one machine: HTTP and ndjson, real clocks, opponents, faults. Imports nothing of the bot."""

from bot.fake_lichess.config import AccountConfig, FakeConfig
from bot.fake_lichess.control import FakeLichess, GameReport, PlayerHandle

__all__ = ["AccountConfig", "FakeConfig", "FakeLichess", "GameReport", "PlayerHandle"]
