"""Engines that die, stop, write garbage or illegal moves in mid-search: replaced, and the move is made all the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_entry
from tests.helpers.examples import first_quick
from tests.helpers.playing import PlayingBot, check_end, play_to_the_end, resigning_at
from tests.helpers.processes import wait_until

MakeBot = Callable[..., PlayingBot]


@pytest.fixture
def opponent(fake: FakeLichess) -> str:
    """One who resigns after 16 plies."""
    fake.add_account("Shorty", script=resigning_at(16))
    return "Shorty"


@first_quick("sign", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_engine_is_killed_or_stopped_in_mid_search(fake: FakeLichess, make_bot: MakeBot, sign: signal.Signals) -> None:
    bot = make_bot(fake, engine=tiny_entry("think", "--think-ms", "1500", slots=2))
    game_id = fake.start_game("Alice", bot.name, clock=(300, 0))
    assert wait_until(lambda: bot.lent() == 1)
    fake.player("Alice", game_id).move("e2e4")
    (loop,) = bot.dispatcher.registry.loops()
    assert wait_until(lambda: loop._search.active)
    engine = loop._search.engine
    assert engine is not None
    assert wait_until(lambda: engine.pid is not None)
    pid = engine.pid or 0
    os.kill(pid, sign)
    fake.wait_for_moves(game_id, 2)
    assert bot.lent() == 1
    assert engine.pid != pid
    fake.player("Alice", game_id).resign()
    check_end(bot, fake.wait_for_end(game_id))


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["crash", "garbage", "long-line", "flood", "illegal", "none", "hang"])
def test_engine_misbehaves_once(
    fake: FakeLichess, make_bot: MakeBot, opponent: str, behaviour: str, tmp_path: Path
) -> None:
    engine = tiny_entry(behaviour, "--once", str(tmp_path / "done"), "--good-moves", "4", slots=2)
    bot = make_bot(fake, engine=engine)
    report = play_to_the_end(bot, opponent)
    assert report.winner == "black"
    assert (tmp_path / "done").exists()


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["illegal", "empty", "garbage"])
def test_engine_insists_on_an_illegal_move_and_the_shipped_engine_plays_on(
    fake: FakeLichess, make_bot: MakeBot, behaviour: str
) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(120, 0))
    for name, move in (("Alice", "e2e4"), ("bot88", "e7e5"), ("Alice", "g1f3")):
        fake.player(name, game_id).move(move)
    bot = make_bot(fake, engine=tiny_entry(behaviour, slots=2))
    fake.wait_for_moves(game_id, 4)
    assert [entry.name for entry in bot.pool.snapshot()] == ["tiny", "engine88 (fallback)"]
    fake.player("Alice", game_id).resign()
    check_end(bot, fake.wait_for_end(game_id))
