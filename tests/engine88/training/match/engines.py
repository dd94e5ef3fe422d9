"""The fake engine as the tests of matches start it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from engine88.training.match.uci_engine import EngineSpec

FAKE = Path(__file__).with_name("fake_engine.py")


def command(*words: str) -> str:
    return shlex.join([sys.executable, str(FAKE), *words])


def spec(name: str, *words: str) -> EngineSpec:
    return EngineSpec(name, command(*words))
