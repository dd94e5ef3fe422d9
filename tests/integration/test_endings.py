"""Endings by tablebase over HTTP: a drawn one is offered, a lost one resigned, a won one played on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.opponents.script import Script
from tests.helpers.playing import PlayingBot
from tests.helpers.shared import shared_data

MakeBot = Callable[..., PlayingBot]
DRAWN = "8/p7/8/8/3N4/8/3K4/7k w - - 0 1"  # a knight and a pawn: nobody can win it soon


def tables() -> dict[str, Any]:
    """Tables of up to four pieces as the one source."""
    return {"syzygy": {"paths": [shared_data("syzygy3-4")]}}


def play(fake: FakeLichess, bot: PlayingBot, fen: str, opponent: str) -> str:
    """Play from a position in which it is our turn as White; returns the game's id."""
    game_id = fake.challenge(opponent, bot.name, clock=(600, 0), color="black", variant="fromPosition", fen=fen)
    fake.wait_for_game(game_id)
    return game_id


def test_a_drawn_table_position_is_offered_at_once(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Drawer", script=Script(then="random", draw="accept"))
    bot = make_bot(fake, move_sources=tables(), conduct={"draw": {"contempt": False}})
    report = fake.wait_for_end(play(fake, bot, DRAWN, "Drawer"))
    assert report.status == "draw"
    assert len(report.moves) <= 6


def test_a_drawn_position_is_played_on_against_people_rated_much_lower(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Drawer", script=Script(then="random", draw="accept"))
    bot = make_bot(fake, move_sources=tables())
    assert len(fake.wait_for_moves(play(fake, bot, DRAWN, "Drawer"), 12).moves) >= 12


def test_a_lost_table_position_is_resigned(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Winner", script=Script(then="random"))
    bot = make_bot(fake, move_sources=tables(), conduct={"resign": {"enabled": True, "moves": 1}})
    report = fake.wait_for_end(play(fake, bot, "7k/8/8/8/8/qr6/8/3K4 b - - 0 1", "Winner"))
    assert (report.status, report.winner) == ("resign", "black")
