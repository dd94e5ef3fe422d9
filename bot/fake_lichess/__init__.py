"""A stand-alone Lichess for one machine: HTTP and ndjson, real clocks, opponents, faults."""

from .config import AccountConfig, FakeConfig
from .control import FakeLichess, PlayerClient
from .faults.fault_plan import FaultPlan, FaultRule, RestartRule
from .opponents.script import Act, Script
from .report import GameReport

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
