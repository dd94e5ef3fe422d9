"""An arena over HTTP: eight bots join it by their configuration and play it to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.account.admission import Admission
from bot.account.tournaments import ArenaWorker
from bot.engine_pool.pool import EnginePool
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.tournaments.arena import FINISHED, ArenaTerms
from bot.fake_lichess.tournaments.arenas import now_ms
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.variants import VARIANTS
from bot.settings import TournamentSettings
from tests.helpers.engines import tiny_entry
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until

MakeBot = Callable[..., PlayingBot]
BOTS = 8
GAMES = 16  # of all together, before the arena is ended


@pytest.fixture
def engines() -> Iterator[EnginePool]:
    """Engines for all bots."""
    with EnginePool([tiny_entry(slots=BOTS)]) as pool:
        yield pool


def open_arena(fake: FakeLichess, **terms: Any) -> str:
    """Let Alice open an arena with clocks that nobody can lose by; returns its id."""
    game = Terms(VARIANTS["standard"], TimeControl(300_000, 2_000))
    wanted = ArenaTerms("Cup", game, minutes=60, starts_at_ms=now_ms(), bots_allowed=True, **terms)
    return fake.call(lambda: fake.arenas.create(fake.world.account("Alice"), wanted)).id


def takes_part(bot: PlayingBot, arena_id: str, admission: Admission | None = None, **entry: str) -> ArenaWorker:
    """Let a bot take part, as its configuration would."""
    settings = TournamentSettings.model_validate({"arenas": [{"id": arena_id, **entry}], "ask_again_s": 1.0})
    loops = bot.dispatcher.registry.loops
    player = ArenaWorker(
        bot.gateway, settings, bot.dispatcher.slots, lambda: [one.info.tournament_id for one in loops()], admission
    )
    player.start()
    return player


def games_of(fake: FakeLichess, arena_id: str) -> list[str]:
    """The games of an arena that were played to an end."""
    ended = {report.id for report in fake.games() if report.over}
    return [game_id for game_id in fake.call(lambda: list(fake.arenas.find(arena_id).game_ids)) if game_id in ended]


def all_games(fake: FakeLichess, arena_id: str) -> int:
    """How many games were begun in an arena."""
    return fake.call(lambda: len(fake.arenas.find(arena_id).game_ids))


@pytest.mark.slow
def test_eight_bots_play_an_arena_to_its_end(make_fake: Any, make_bot: MakeBot, engines: EnginePool) -> None:
    fake: FakeLichess = make_fake(arena_pairing_s=0.2)
    arena_id = open_arena(fake, password="sesame")
    bots = []
    for number in range(BOTS):
        fake.add_account(f"Cup{number}", title="BOT")
        bots.append(make_bot(fake, name=f"Cup{number}", pool=engines, concurrency=1))
    players = [takes_part(bot, arena_id, password="sesame") for bot in bots]
    try:
        fake.wait_for(lambda: len(games_of(fake, arena_id)) >= GAMES, 240.0, f"{GAMES} games of the arena")
        fake.call(lambda: fake.arenas.terminate(fake.world.account("Alice"), arena_id))
        assert wait_until(lambda: all(one.done for player in players for one in player.arenas), 120.0)
        fake.wait_for(lambda: len(games_of(fake, arena_id)) == all_games(fake, arena_id), 120.0, "the last games")
    finally:
        for player in players:
            player.close()
    arena = fake.call(lambda: fake.arenas.find(arena_id))
    assert arena.status == FINISHED
    ids = games_of(fake, arena_id)
    played = {report.id: report for report in fake.games() if report.id in ids}
    assert {report.status for report in played.values()} <= {"mate", "draw", "stalemate", "resign"}
    assert {name for report in played.values() for name in (report.white, report.black)} == {bot.name for bot in bots}
    assert all(len(player.results) >= 1 for player in arena.players.values())
    assert not fake.requests("challenge_decline")


def test_an_arena_is_left_at_the_end_and_rejoined_by_the_next_start(
    make_fake: Any, make_bot: MakeBot, engines: EnginePool
) -> None:
    fake: FakeLichess = make_fake(arena_pairing_s=0.05)
    arena_id = open_arena(fake)
    bot = make_bot(fake, pool=engines, concurrency=1)
    first = takes_part(bot, arena_id)
    fake.wait_for(lambda: "bot88" in fake.call(lambda: fake.arenas.find(arena_id).players), what="the bot to join")
    first.close()
    paused = fake.call(lambda: fake.arenas.find(arena_id).players["bot88"].paused)
    assert paused
    second = takes_part(bot, arena_id)
    try:
        fake.join_arena("Random", arena_id)
        fake.wait_for(lambda: games_of(fake, arena_id), 120.0, "a game of the arena")
    finally:
        second.close()
