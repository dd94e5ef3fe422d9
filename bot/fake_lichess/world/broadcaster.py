"""Sends events to streams of accounts, games and spectators, and to opponents that the server plays."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass

import chess

from ..wire.responses import Subscriber, json_line
from . import json_objects
from .accounts import Account
from .chat_room import ChatLine
from .offers import countdown_ms
from .opponent import Driver
from .server_game import BOTH, Game

REMIND_GONE_S, SHORTEST_REMINDER_S = 5.0, 0.05


@dataclass
class GameStream:
    """An open game stream of a player."""

    subscriber: Subscriber
    color: chess.Color
    hears_spectators: bool = False


class Broadcaster:
    """All subscribers and drivers of a world."""

    def __init__(self, claim_after_s: float | None, allow_any_clock: bool = False) -> None:
        self.event_streams: dict[str, list[Subscriber]] = {}
        self.game_streams: dict[str, list[GameStream]] = {}
        self.watch_streams: dict[str, list[Subscriber]] = {}
        self.other_streams: set[Subscriber] = set()
        self.drivers: dict[tuple[str, chess.Color], Driver] = {}
        self._claim_after_s = claim_after_s
        self._allow_any_clock = allow_any_clock

    def close_all(self) -> None:
        """End every open stream."""
        for subscribers in [*self.event_streams.values(), *self.watch_streams.values(), self.other_streams]:
            for subscriber in list(subscribers):
                subscriber.close()
        for streams in list(self.game_streams.values()):
            for stream in list(streams):
                stream.subscriber.close()

    def send_event(self, account: Account | None, event: json_objects.Json) -> None:
        """Send a line to the account's event streams."""
        for subscriber in list(self.event_streams.get(account.id, ())) if account else ():
            subscriber.push(json_line(event))

    def game_event(self, kind: str, game: Game) -> None:
        """Send gameStart or gameFinish to both players."""
        for color in BOTH:
            event = json_objects.game_event(kind, game, color, _now_ms(), self._allow_any_clock)
            self.send_event(game.players[color].account, event)

    def state(self, game: Game) -> None:
        """Send the new state to players and spectators, and wake the drivers."""
        now_ms = _now_ms()
        encoded = json_line(json_objects.game_state(game, now_ms))
        for stream in list(self.game_streams.get(game.id, ())):
            stream.subscriber.push(encoded)
        watched = json_line(json_objects.watch_line(game, now_ms))
        for subscriber in list(self.watch_streams.get(game.id, ())):
            subscriber.push(watched)
        self.wake(game)

    def wake(self, game: Game) -> None:
        """Let the drivers act after the current request."""
        for color in BOTH:
            driver = self.drivers.get((game.id, color))
            if driver is not None:
                asyncio.get_running_loop().call_soon(driver.wake)

    def end_game(self, game: Game) -> None:
        """End the streams of a finished game and release its drivers."""
        for stream in list(self.game_streams.get(game.id, ())):
            stream.subscriber.close()
        for subscriber in list(self.watch_streams.get(game.id, ())):
            subscriber.push(json_line(json_objects.watch_head(game)))
            subscriber.finish()
        for color in BOTH:
            driver = self.drivers.pop((game.id, color), None)
            if driver is not None:
                driver.close()

    def chat(self, game: Game, line: ChatLine) -> None:
        """Send a chat line. Only bots among the players get the spectators' room (lila `GameStateStream`)."""
        event = {"type": "chatLine", "room": line.room, "username": line.username, "text": line.text}
        encoded = json_line(event)
        for stream in list(self.game_streams.get(game.id, ())):
            if line.room == "player" or stream.hears_spectators:
                stream.subscriber.push(encoded)

    def presence(self, game: Game, color: chess.Color) -> None:
        """Notify the opponent that a player left or returned. Repeats while the player is gone."""
        line = self.gone_line(game, color)
        for stream in list(self.game_streams.get(game.id, ())):
            if line is not None and stream.color == (not color):
                stream.subscriber.push(line)
        if game.players[color].gone_since_ms is not None and game.playable:
            left = countdown_ms(game, not color, _now_ms(), self._claim_after_s) or math.inf
            after_s = min(REMIND_GONE_S, max(left / 1000, SHORTEST_REMINDER_S))
            asyncio.get_running_loop().call_later(after_s, self._remind_gone, game, color)

    def _remind_gone(self, game: Game, color: chess.Color) -> None:
        if game.playable and game.players[color].gone_since_ms is not None:
            self.presence(game, color)

    def gone_line(self, game: Game, color: chess.Color) -> bytes | None:
        """Return the opponentGone line about a player: a countdown, or the return after one. None if nothing is due."""
        player = game.players[color]
        if player.gone_since_ms is None:
            was_announced, player.gone_announced = player.gone_announced, False
            return json_line({"type": "opponentGone", "gone": False}) if was_announced else None
        left = countdown_ms(game, not color, _now_ms(), self._claim_after_s)
        if left is None:
            return None
        player.gone_announced = True
        return json_line({"type": "opponentGone", "gone": True, "claimWinInSeconds": math.ceil(left / 1000)})


def _now_ms() -> float:
    return time.monotonic() * 1000
