"""What the tests of widely used bots share: the start of a bot, a game, an arena, in the bare requests."""

from __future__ import annotations

from typing import Any

from bot.fake_lichess import FakeLichess
from tests.helpers.lichess_client import Client, Stream

SCHOLARS_MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def ask_for_scopes(fake: FakeLichess, bot: Client) -> None:
    """Ask what the token may: the token alone is the body, without a type."""
    token = fake.token("bot88")
    tested = bot.post("/api/token/test", data=token).json()
    assert "bot:play" in tested[token]["scopes"].split(",")


def greet(bot: Client, game_id: str, text: str) -> None:
    """Say something to the opponent, then to the spectators."""
    for room in ("player", "spectator"):
        assert bot.post(f"/api/bot/game/{game_id}/chat", data={"room": room, "text": text}).json() == {"ok": True}


def play_to_mate(fake: FakeLichess, bot: Client, game_id: str) -> Stream:
    """A game with the white pieces, as lichess-bot and BotLi play it: every move has `offeringDraw`.

    Both greet before the first move and say good-bye after the end.
    """
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    full = stream.wait_for("gameFull")
    assert (full["white"]["id"], full["initialFen"]) == ("bot88", "startpos")
    assert {"id", "variant", "speed", "rated", "createdAt", "black", "clock", "state"} <= set(full)
    opponent = fake.game(game_id).black
    greet(bot, game_id, "Hello, have fun")
    for number, uci in enumerate(SCHOLARS_MATE.split()):
        if number % 2:
            fake.player(opponent, game_id).move(uci)
        else:
            wait_for_plies(stream, number)
            moved = bot.post(f"/api/bot/game/{game_id}/move/{uci}", params={"offeringDraw": "false"})
            assert moved.json() == {"ok": True}
    stream.wait_for_end()
    assert stream.error is None
    assert (stream.events[-1]["status"], stream.events[-1]["winner"]) == ("mate", "white")
    greet(bot, game_id, "Good game, thank you")
    return stream


def wait_for_plies(stream: Stream, plies: int) -> None:
    """Wait until a game's stream shows so many plies."""
    stream.wait(lambda seen: plies_of(seen) >= plies, f"{plies} plies")


def plies_of(events: list[dict[str, Any]]) -> int:
    """How many plies the last state of a game's stream shows."""
    states = [event.get("state", event) for event in events if event["type"] in ("gameFull", "gameState")]
    return len(states[-1]["moves"].split()) if states else 0


def open_arena(owner: Client, **fields: Any) -> str:
    """An arena for bots that has begun; gives its path."""
    form = {"name": "Bots", "clockTime": 1, "clockIncrement": 1, "minutes": 20, "waitMinutes": 0}
    made = owner.post("/api/tournament", data=form | {"conditions.bots": "true"} | fields).json()
    return f"/api/tournament/{made['id']}"
