"""TV: the newest running game of each channel, its list, and its feed."""

from __future__ import annotations

import asyncio

import chess
from starlette.types import Receive, Send

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import games_answer, number
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer, Streaming
from bot.fake_lichess.wire.streams import Subscriber, serve_lines
from bot.fake_lichess.world import json_objects
from bot.fake_lichess.world.game import Game, Player
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import COLOR_NAMES, SPEED_NAMES, VARIANTS

CHANNELS = {"best": None, "bot": None, "computer": None} | dict.fromkeys(SPEED_NAMES) | dict.fromkeys(VARIANTS)
FEED_EVERY_S = 0.25


def running(state: AppState, channel: str) -> list[Game]:
    """The running games of a channel, newest first."""
    games = [game for game in reversed(state.world.games.values()) if game.playable]
    if channel == "bot":
        return [game for game in games if all(p.account and p.account.is_bot for p in game.players.values())]
    if channel == "computer":
        return [game for game in games if any(p.account is None for p in game.players.values())]
    return games if channel == "best" else [game for game in games if game.spec.perf == channel]


def _user(player: Player) -> Json:
    """The player as a user; the computer, which is none, by its name alone."""
    found: Json = {"id": player.account.id if player.account else "stockfish", "name": player.name}
    return found | ({"title": player.account.title} if player.account and player.account.title else {})


def get_channels(state: AppState, _request: Request) -> Answer:
    """The newest running game of each channel that has one."""
    found: Json = {}
    for channel in CHANNELS:
        games = running(state, channel)
        if games:
            player = games[0].players[chess.WHITE]
            one: Json = {"user": _user(player), "rating": player.rating, "gameId": games[0].id, "color": "white"}
            found[channel] = one
    return Answer(found)


def get_channel(state: AppState, request: Request) -> Answer:
    """The running games of a channel, newest first: `best` has them all."""
    _check(request)
    games = running(state, request.params["channel"])[: max(1, min(30, number(request, "nb", 10)))]
    return games_answer(request, games, state.world.base_url)


def _check(request: Request) -> None:
    if request.params.get("channel", "best") not in CHANNELS:
        raise ApiError(404, errors.NOT_FOUND)


def get_feed(state: AppState, request: Request) -> Streaming:
    """Positions of a channel's newest game as they come, and of the next one when it is over."""
    _check(request)
    return _Feed(state, request.params.get("channel", "best"))


class _Feed:
    def __init__(self, state: AppState, channel: str) -> None:
        self.state, self.channel = state, channel
        self.game: Game | None = None
        self.plies = 0

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until one side ends it."""
        subscriber = Subscriber(self.state.world.config.game_keepalive_s)
        self._look(subscriber)
        await serve_lines(subscriber, receive, send)

    def _look(self, subscriber: Subscriber) -> None:
        """Send what is new since the last look, and look again."""
        if subscriber.closed or self.state.world.down:
            subscriber.close()
            return
        if self.game is None or not self.game.playable:
            self._switch(subscriber)
        if self.game is not None and len(self.game.moves) != self.plies:
            self.plies = len(self.game.moves)
            position = json_objects.watch_line(self.game, self.state.world.now_ms())
            subscriber.push(encoding.line({"t": "fen", "d": position}))
        asyncio.get_running_loop().call_later(FEED_EVERY_S, self._look, subscriber)

    def _switch(self, subscriber: Subscriber) -> None:
        games = running(self.state, self.channel)
        if not games:
            return
        self.game, self.plies = games[0], len(games[0].moves)
        now_ms = self.state.world.now_ms()
        players = [
            {
                "color": COLOR_NAMES[color],
                "user": _user(player),
                "rating": player.rating,
                "seconds": self.game.clock.remaining_ms(color, now_ms) // 1000,
            }
            for color, player in sorted(self.game.players.items(), reverse=True)
        ]
        featured = {"id": self.game.id, "orientation": "white", "players": players, "fen": self.game.board.fen()}
        subscriber.push(encoding.line({"t": "featured", "d": featured}))


TV_SPECS = [
    Spec("tv_channels", "GET", "/api/tv/channels", get_channels, None),
    Spec("tv_feed", "GET", "/api/tv/feed", get_feed, None, stream=True),
    Spec("tv_channel_feed", "GET", "/api/tv/{channel}/feed", get_feed, None, stream=True),
    Spec("tv_channel", "GET", "/api/tv/{channel}", get_channel, None),
]
