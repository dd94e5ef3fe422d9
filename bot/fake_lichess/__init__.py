"""A stand-alone Lichess for one machine: HTTP and ndjson, real clocks, opponents, faults."""

from bot.fake_lichess.config import AccountConfig, FakeConfig
from bot.fake_lichess.control import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule, RestartRule
from bot.fake_lichess.opponents.script import Act, Script
from bot.fake_lichess.player_client import PlayerClient
from bot.fake_lichess.report import GameReport

__all__ = [
    "AccountConfig",
    "Act",
    "FakeConfig",
    "FakeLichess",
    "FaultPlan",
    "FaultRule",
    "GameReport",
    "PlayerClient",
    "RestartRule",
    "Script",
]
