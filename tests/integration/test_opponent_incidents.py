"""What the opponent does while we think: seen at once, and answered."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.opponents.script import Act, Script
from tests.helpers.engines import tiny_entry
from tests.helpers.lichess_client import Client
from tests.helpers.playing import PlayingBot, check_end, play_to_the_end, resigning_at
from tests.helpers.processes import wait_until

MakeBot = Callable[..., PlayingBot]
LONG_MS = "120000"


def thinking_bot(fake: FakeLichess, make_bot: MakeBot, **settings: Any) -> tuple[PlayingBot, str]:
    """A bot that would think for two minutes about each move, against Alice, with the id of the game."""
    engine = tiny_entry("think", "--think-ms", LONG_MS, slots=8)
    bot = make_bot(fake, engine=engine, **settings)
    game_id = fake.start_game("Alice", bot.name, clock=(300, 0))
    assert wait_until(lambda: bot.lent() == 1)
    return bot, game_id


def thinks(bot: PlayingBot) -> bool:
    """Whether a search is under way."""
    return any(loop._search.active for loop in bot.dispatcher.registry.loops())


def test_opponent_resigns_while_we_think(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot, game_id = thinking_bot(fake, make_bot)
    alice = fake.player("Alice", game_id)
    alice.move("e2e4")
    assert wait_until(lambda: thinks(bot))
    alice.resign()
    report = fake.wait_for_end(game_id)
    bot.finished(game_id)
    assert report.status in ("resign", "aborted")
    assert wait_until(lambda: bot.lent() == 0)


def test_opponent_aborts_while_we_think(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot, game_id = thinking_bot(fake, make_bot)
    fake.player("Alice", game_id).move("e2e4")
    assert wait_until(lambda: thinks(bot))
    fake.player("Alice", game_id).abort()
    assert bot.finished(game_id).game.result == "aborted"  # type: ignore[union-attr]  # it was opened
    assert wait_until(lambda: bot.lent() == 0)


def test_opponent_offers_a_draw_while_we_think(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot, game_id = thinking_bot(fake, make_bot)
    alice = fake.player("Alice", game_id)
    alice.move("e2e4")
    assert wait_until(lambda: thinks(bot))
    fake.player(bot.name, game_id).move("e7e5")  # the account's owner moves by hand
    alice.move("g1f3")
    assert wait_until(lambda: thinks(bot))
    alice.draw()
    fake.wait_for(lambda: fake.requests("draw", game_id), what="the answer to the offer")
    assert fake.requests("draw", game_id)[0].path.endswith("/draw/no")
    assert thinks(bot)
    alice.resign()
    check_end(bot, fake.wait_for_end(game_id))


@pytest.mark.parametrize("takebacks", [0, 1])
def test_opponent_asks_for_a_takeback_while_we_think(fake: FakeLichess, make_bot: MakeBot, takebacks: int) -> None:
    bot, game_id = thinking_bot(fake, make_bot, conduct={"takebacks": takebacks})
    alice = fake.player("Alice", game_id)
    alice.move("e2e4")
    assert wait_until(lambda: thinks(bot))
    fake.player(bot.name, game_id).move("e7e5")  # the account's owner moves by hand
    alice.move("g1f3")
    assert wait_until(lambda: thinks(bot))
    alice.takeback()
    fake.wait_for(lambda: fake.requests("takeback", game_id), what="the answer")
    assert fake.requests("takeback", game_id)[0].path.endswith("/yes" if takebacks else "/no")
    fake.wait_for(lambda: len(fake.game(game_id).moves) == 3 - takebacks, what="the takeback")
    if takebacks:
        assert wait_until(lambda: not thinks(bot))  # the move we thought about is gone
        alice.move("d2d4")
    assert wait_until(lambda: thinks(bot))
    alice.resign()
    fake.wait_for_end(game_id)
    bot.finished(game_id)


def test_opponent_leaves_and_the_win_is_claimed(make_fake: Any, make_bot: MakeBot) -> None:
    fake = make_fake(claim_after_s=1.0, gone_after_s=0.2)
    bot = make_bot(fake)
    game_id = fake.start_game("Alice", bot.name, clock=(300, 0))
    alice = fake.player("Alice", game_id)
    for move in ("e2e4", "d2d4"):
        alice.move(move)
        fake.wait_for(lambda: len(fake.game(game_id).moves) % 2 == 0, what="our move")
    alice.leave()
    report = fake.wait_for_end(game_id)
    assert report.winner == "black"
    assert report.status == "timeout"
    bot.finished(game_id)


def test_opponent_never_begins_and_the_game_is_aborted(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake, conduct={"abort_after_s": 0.5})
    game_id = fake.start_game("Alice", bot.name, clock=(300, 0))
    assert fake.wait_for_end(game_id).status == "aborted"
    bot.finished(game_id)
    assert bot.dispatcher.slots.free() == 8


def test_opponent_is_the_servers_own_computer(make_fake: Any, make_bot: MakeBot) -> None:
    fake = make_fake(ai_move_delay_s=0.0)
    bot = make_bot(fake, conduct={"chat": {"greeting": "Hello"}})
    terms = {"level": 1, "clock.limit": 300, "clock.increment": 0, "color": "black"}
    with closing(Client(fake.url, fake.token(bot.name))) as client:
        game_id = client.post("/api/challenge/ai", data=terms).json()["id"]
    fake.wait_for_moves(game_id, 12)
    fake.player(bot.name, game_id).resign()
    bot.finished(game_id)
    assert not fake.requests("chat", game_id)


def test_opponent_gives_more_time_and_chats(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account(
        "Kind",
        script=Script(acts=(Act(ply=4, do="give_time"), Act(ply=6, do="chat", text="!name"), Act(ply=16, do="resign"))),
    )
    bot = make_bot(fake)
    report = play_to_the_end(bot, "Kind")
    assert report.winner == "black"
    fake.wait_for(lambda: len(fake.game(report.id).chat) == 2, what="our answer")
    assert fake.game(report.id).chat[1][1] == "I am bot88, a bot."
    assert bot.context.lag.overhead_ms is not None
    assert bot.context.lag.overhead_ms < 5_000


def test_the_greeting_and_the_answer_to_a_command_name_the_engine(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake, conduct={"chat": {"greeting": "Hello {opponent}, I play with {engine}."}})
    game_id = fake.start_game("Alice", bot.name, clock=(120, 0))
    alice = fake.player("Alice", game_id)
    fake.wait_for(lambda: len(fake.game(game_id).chat) == 1, what="greeting")
    alice.say("!engine")
    fake.wait_for(lambda: len(fake.game(game_id).chat) == 3, what="answer")
    said = [line[1] for line in fake.game(game_id).chat]
    assert said == ["Hello Alice, I play with Tiny.", "!engine", "My engine is Tiny."]
    alice.move("e2e4")
    fake.wait_for_moves(game_id, 2)
    alice.resign()
    check_end(bot, fake.wait_for_end(game_id))


def test_a_game_of_days_is_left_and_taken_up_again(fake: FakeLichess, make_bot: MakeBot) -> None:
    slow = {"think_s": 0.05, "disconnect_after_s": 0.3, "check_in_every_s": 0.3}
    bot = make_bot(fake, concurrency=1, correspondence=slow)
    game_id = fake.start_game("Alice", bot.name, clock=None, days=3)
    alice = fake.player("Alice", game_id)
    for plies, move in ((2, "e2e4"), (4, "d2d4")):
        alice.move(move)
        fake.wait_for_moves(game_id, plies)
        assert wait_until(lambda: bot.dispatcher.slots.free() == 1)  # parked: no slot, no engine, no stream
        assert wait_until(lambda: bot.lent() == 0 and fake.open_game_streams(game_id) == 0)
    alice.resign()
    fake.wait_for_end(game_id)
    assert wait_until(lambda: not bot.dispatcher.slots.records())


@pytest.mark.parametrize(
    "terms",
    [
        {"variant": "chess960", "fen": "bbqrnnkr/pppppppp/8/8/8/8/PPPPPPPP/BBQRNNKR w KQkq - 0 1"},
        {"variant": "fromPosition", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"},
        {"days": 1},
        {"clock": None},
        {"clock": (30, 0)},
        {"clock": (0, 1)},
        {"clock": (10_800, 60)},
    ],
    ids=["chess960", "black-begins", "correspondence", "unlimited", "half-a-minute", "increment-only", "three-hours"],
)
@pytest.mark.parametrize("color", ["white", "black"])
def test_every_kind_of_game_is_played(fake: FakeLichess, make_bot: MakeBot, terms: dict[str, Any], color: str) -> None:
    fake.add_account("Shorty", script=resigning_at(14))
    bot = make_bot(fake, challenges={"unlimited": True}, correspondence={"think_s": 0.1})
    assert play_to_the_end(bot, "Shorty", color=color, **terms).winner == ("black" if color == "white" else "white")
