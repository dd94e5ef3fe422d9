"""Levels over HTTP: asked for in the chat, set at the engine, said, and kept for the rematch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.opponents.script import Script
from tests.helpers.engines import tiny_entry
from tests.helpers.playing import PlayingBot

MakeBot = Callable[..., PlayingBot]


def heard(fake: FakeLichess, game_id: str, text: str) -> None:
    """Wait until the bot has sent the players this."""
    fake.wait_for(lambda: ("bot88", text, "player") in fake.game(game_id).chat, what=repr(text))


def test_a_level_is_set_by_chat_and_kept_for_the_rematch(fake: FakeLichess, make_bot: MakeBot, tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    fake.add_account("Idler", script=Script(then="idle"))
    engine = tiny_entry("good", "--levels", "--log", str(log), slots=4)
    bot = make_bot(fake, engine=engine)
    game_id = fake.challenge("Idler", "bot88", clock=(600, 0), color="white")
    fake.wait_for_game(game_id)
    idler = fake.player("Idler", game_id)
    fake.wait_for(lambda: fake.open_game_streams(game_id))
    idler.say("!level 800")
    heard(fake, game_id, "I play this game at about 1000 (the nearest that I can).")
    idler.move("e2e4")
    fake.wait_for_moves(game_id, 2)
    assert "setoption name UCI_Elo value 1000" in log.read_text()
    idler.say("!level easy")
    heard(fake, game_id, "In our next game I will play at about 1350, if it is casual.")
    idler.resign()
    fake.wait_for_end(game_id)
    bot.finished(game_id)
    rematch = fake.challenge("Idler", "bot88", clock=(600, 0), color="white")
    fake.wait_for_game(rematch)
    heard(fake, rematch, "I play this game at about 1350.")


def test_a_rated_game_stays_at_full_strength(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Idler", script=Script(then="idle"))
    make_bot(fake, engine=tiny_entry("good", "--levels", slots=4))
    game_id = fake.challenge("Idler", "bot88", clock=(600, 0), color="white", rated=True)
    fake.wait_for_game(game_id)
    fake.wait_for(lambda: fake.open_game_streams(game_id))
    fake.player("Idler", game_id).say("!level 1200")
    heard(fake, game_id, "The level of a rated game stays as it is.")
