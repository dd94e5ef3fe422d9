"""A3: where no engine starts, a legal move is played while most of the clock is left."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.opponents.script import Script
from bot.settings import EngineEntry
from tests.helpers.engines import tiny_engine, tiny_entry
from tests.helpers.playing import PlayingBot

#: The first process is an engine that crashes at its third move; every later one starts and says nothing.
ONCE = """
import os, sys
try:
    os.close(os.open(sys.argv[1], os.O_CREAT | os.O_EXCL))
except FileExistsError:
    sys.stdin.read()
else:
    os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.slow
def test_no_move_waits_for_long_for_engines_that_do_not_start(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], tmp_path: Path
) -> None:
    fake.add_account("Alice", script=Script(then="endless"))
    crashing = tiny_engine("crash", "--good-moves", "2")
    command = (sys.executable, "-c", ONCE, str(tmp_path / "started"), *crashing)
    engine = EngineEntry(name="once", command=command, slots=1, spares=0)
    bot = make_bot(fake, engine=engine, fallback=tiny_entry("silent", name="fallback", spares=0), concurrency=1)
    game_id = fake.challenge("Alice", bot.name, clock=(60, 0), color="black")
    report = fake.wait_for_moves(game_id, 10, 60.0)  # two moves with the engine, three without
    assert len(report.moves) >= 10
    assert report.white_ms > 30_000
