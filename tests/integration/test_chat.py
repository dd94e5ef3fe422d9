"""Chat over HTTP: the opponent gets no advice while the game runs; afterwards everybody does."""

from __future__ import annotations

from collections.abc import Callable

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.opponents.script import Script
from bot.play.chat.commands import REFUSAL
from tests.helpers.playing import PlayingBot

MakeBot = Callable[..., PlayingBot]


def watch(fake: FakeLichess, game_id: str, user: str, text: str) -> None:
    """Let somebody who does not play write among the spectators."""
    fake.call(lambda: fake.world.game(game_id).say(user, text, "spectator", fake.world.now_ms()))


def heard(fake: FakeLichess, game_id: str, text: str, room: str) -> None:
    """Wait until the bot has said this."""
    fake.wait_for(lambda: ("bot88", text, room) in fake.game(game_id).chat, what=f"{text!r} in the room {room}")


def test_players_are_advised_after_the_game_alone(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Idler", script=Script(moves=("e2e4",), then="idle"))
    make_bot(
        fake,
        conduct={
            "chat": {
                "greeting": "Hello {opponent}, I am {me} on {cpu}.",
                "advice_in_casual_games": True,
            }
        },
    )
    game_id = fake.challenge("Idler", "bot88", clock=(600, 0), color="white")
    fake.wait_for_moves(game_id, 2)
    fake.wait_for(lambda: any(text.startswith("Hello Idler, I am bot88 on") for _, text, _ in fake.game(game_id).chat))
    idler = fake.player("Idler", game_id)
    idler.say("!book")
    heard(fake, game_id, REFUSAL, "player")
    watch(fake, game_id, "Carol", "!book")
    heard(fake, game_id, "No move of mine came from a book or a table.", "spectator")
    watch(fake, game_id, "Idler", "!eval")
    heard(fake, game_id, REFUSAL, "spectator")
    idler.resign()
    fake.wait_for_end(game_id)
    idler.say("!eval")
    heard(fake, game_id, "+0.33 for me with 1...Nh6, depth 7.", "player")
    idler.say("!stats")
    heard(fake, game_id, "I keep no statistics of these games.", "player")


def test_a_queue_is_told_by_the_names_of_those_who_wait(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Idler", script=Script(moves=("e2e4",), then="idle"))
    fake.add_account("Later")
    bot = make_bot(fake, concurrency=1)
    game_id = fake.challenge("Idler", "bot88", clock=(600, 0), color="white")
    fake.wait_for_moves(game_id, 2)
    fake.challenge("Later", "bot88", clock=(600, 0))
    fake.wait_for(bot.dispatcher.queue.waiting, what="the challenge in the queue")
    watch(fake, game_id, "Carol", "!queue")
    heard(fake, game_id, "Waiting for a game: Later.", "spectator")
