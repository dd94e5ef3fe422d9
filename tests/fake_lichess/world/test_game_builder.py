"""Games of every variant begin and end; daily limits between bots."""

from __future__ import annotations

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("chess960", None),
        ("crazyhouse", None),
        ("antichess", None),
        ("atomic", None),
        ("horde", None),
        ("kingOfTheHill", None),
        ("racingKings", None),
        ("threeCheck", None),
        ("fromPosition", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
    ],
)
def test_every_variant_is_played_to_its_end(fake: FakeLichess, bot: Client, variant: str, fen: str | None) -> None:
    events = bot.stream("/api/stream/event")
    game_id = fake.challenge("Random", "Greedy", variant=variant, fen=fen, clock=(600, 0))
    end = fake.wait_for_end(game_id)
    assert end.status in ("mate", "stalemate", "draw", "variantEnd")
    ours = fake.challenge("Alice", "bot88", variant=variant, fen=fen, clock=(300, 0))
    assert events.wait_for("challenge")["challenge"]["variant"]["key"] == variant
    assert bot.post(f"/api/challenge/{ours}/accept").ok
    full = bot.stream(f"/api/bot/game/stream/{ours}").wait_for("gameFull")
    assert (full["initialFen"] == "startpos") == (variant not in ("chess960", "fromPosition"))


def test_bots_meet_so_often_a_day(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True, bot_games_per_day=2)
    bot, other = connect(fake, "bot88"), connect(fake, "OtherBot")
    for _ in range(2):
        game_id = bot.post("/api/challenge/OtherBot", data=BLITZ).json()["id"]
        assert other.post(f"/api/challenge/{game_id}/accept").ok
    refused = bot.post("/api/challenge/OtherBot", data=BLITZ)
    assert refused.status_code == 429
    assert refused.json()["ratelimit"]["key"] == "bot.vsBot.day"
    assert refused.json()["ratelimit"]["seconds"] > 80_000
    fake.add_account("ThirdBot", title="BOT")
    theirs = connect(fake, "ThirdBot").post("/api/challenge/bot88", data=BLITZ)
    assert (theirs.status_code, theirs.json()["ratelimit"]["key"]) == (400, "bot.vsBot.day")


def test_challenging_costs_credits_and_people_cost_more(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot, alice = connect(fake, "bot88"), connect(fake, "Alice")
    bots = [alice.post("/api/challenge/bot88", data=BLITZ).status_code for _ in range(26)]
    assert bots == [200] * 25 + [429]
    people = [bot.post("/api/challenge/Alice", data=BLITZ).status_code for _ in range(6)]
    assert people == [200] * 5 + [429]
    assert bot.post("/api/challenge/Alice", data=BLITZ).json() == {"error": "Too many requests. Try again later."}
    assert bot.get("/api/account").ok, "only challenging is limited"
