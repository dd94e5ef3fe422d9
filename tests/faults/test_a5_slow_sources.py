"""A5: what a move source takes is not given to the engine again, and a source that hangs is left alone for a while."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.fake_lichess.opponents.script import Script
from tests.helpers.engines import tiny_entry
from tests.helpers.playing import PlayingBot

ROOK_ENDING = "8/8/8/4k3/8/8/1R6/K7 b - - 0 1"
CLOCK_MS = 30_000
SOURCE_MS = 1000


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_hanging_tablebase_costs_its_time_once(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], tmp_path: Path
) -> None:
    table = tmp_path / "KRvK.rtbw"
    table.touch()
    fake.add_account("Alice", script=Script(moves=("b2b1", "b1c1", "c1b1", "b1c1", "c1b1")))
    bot = make_bot(fake, move_sources={"syzygy": {"paths": [tmp_path]}})
    table.unlink()
    os.mkfifo(table)  # opening it waits for a writer, who never comes
    game_id = fake.challenge(
        "Alice", bot.name, color="white", clock=(CLOCK_MS / 1000, 0), variant="fromPosition", fen=ROOK_ENDING
    )
    report = fake.wait_for_moves(game_id, 9, 60.0)
    os.close(os.open(table, os.O_WRONLY | os.O_NONBLOCK))  # the source's thread ends
    assert report.black_ms > CLOCK_MS - 1.5 * SOURCE_MS, "the tablebase was asked again at once"


@pytest.mark.slow
def test_the_engine_is_given_what_a_slow_explorer_leaves(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], tmp_path: Path
) -> None:
    engine_log = tmp_path / "engine.log"
    delay = FaultRule(endpoint="explorer*", fault="delay", delay_s=(SOURCE_MS / 1000, SOURCE_MS / 1000))
    fake.add_account("Alice", script=Script(then="endless", think_s=0.5))
    explorer = {"enabled": True, "url": fake.url, "database": "lichess"}
    online = {"explorer": explorer, "budget_s": 5.0, "reserve_s": 1.0, "max_misses": 100}
    bot = make_bot(fake, engine=tiny_entry("good", "--log", str(engine_log)), move_sources={"online": online})
    game_id = fake.challenge("Alice", bot.name, color="black", clock=(CLOCK_MS / 1000, 0))
    fake.wait_for_moves(game_id, 1)
    fake.set_faults(FaultPlan(rules=(delay,)))
    fake.wait_for_moves(game_id, 5)
    given_ms = [given_clock_ms(line) for line in engine_log.read_text().splitlines() if " wtime " in line]
    assert given_ms, "the engine was given no clock"
    assert given_ms[0] <= CLOCK_MS - 0.9 * SOURCE_MS


def given_clock_ms(line: str) -> int:
    """Return White's clock in a `go` line."""
    words = line.split()
    return int(words[words.index("wtime") + 1])
