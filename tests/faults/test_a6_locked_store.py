"""A6: the reader of the account's stream does not wait for the store."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.fake_lichess import FakeLichess
from tests.helpers.processes import wait_until
from tests.helpers.running_bot import Run

SECONDS_FOR_A_START = 4.0


def test_a_game_behind_four_challenges_starts_at_once(fake: FakeLichess, run: Run, tmp_path: Path) -> None:
    store = tmp_path / "bot.sqlite"
    run(store=str(store), challenges={"rules": {"min_recent_games": 3, "decline": "later"}, "queue": 10}, concurrency=1)
    busy = fake.start_game("Alice", "bot88", clock=(600, 0))  # holds the one slot: the challenges wait
    assert wait_until(lambda: bool(fake.requests("game_stream", busy)))
    with closing(sqlite3.connect(store)) as other_program:
        other_program.execute("BEGIN IMMEDIATE")
        fake.drop_streams()  # the next opening is a write that has to wait
        assert wait_until(lambda: len(fake.requests("event_stream")) == 2)
        assert wait_until(lambda: fake.is_online("bot88"))
        time.sleep(0.5)  # the stream repeats the running game first
        for challenger in ("Bobby", "Fresh", "Random", "Greedy"):
            fake.challenge(challenger, "bot88", clock=(600, 0))
        game_id = fake.start_game("Alice", "bot88", clock=(600, 0))
        began_s = time.monotonic()
        assert wait_until(lambda: bool(fake.requests("game_stream", game_id)))
        assert time.monotonic() - began_s < SECONDS_FOR_A_START
