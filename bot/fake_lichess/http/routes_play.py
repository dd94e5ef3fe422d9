"""Playing: the same endpoints for bots and boards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import chess

from .. import errors
from ..errors import ApiError, check_field
from ..wire.responses import DelayedResponse, Response, Streaming, Subscriber, json_line, streaming
from ..world import json_objects, offers
from ..world.broadcaster import GameStream
from ..world.chat_room import MAX_CHARS, ROOMS
from ..world.seat import Seat
from ..world.server_game import Game
from ..world.variants import is_board_compatible, is_bot_compatible
from ..world.world import World
from .endpoint import AppState, Handler, Spec
from .request import Request, trueish

TIMER_SLACK_MS = 5


def _seat(state: AppState, request: Request) -> Seat:
    game, color = state.world.seat_of(request.me, request.params["game_id"])
    return Seat(state.world, game, color)


def _for_api(do: Handler, *, bots: bool) -> Handler:
    """Return a handler of the bot or board API, which refuses too fast games. The server's own page may play all."""

    def serve(state: AppState, request: Request) -> Response | DelayedResponse | Streaming:
        spec = _seat(state, request).game.spec
        is_compatible = is_bot_compatible if bots else is_board_compatible
        free = state.world.config.allow_any_clock or (request.from_page and not bots)
        if not (free or is_compatible(spec.source, spec.speed)):
            raise ApiError(400, f"This game cannot be played with the {'Bot' if bots else 'Board'} API.")
        return do(state, request)

    return serve


def post_move(state: AppState, request: Request) -> Response | DelayedResponse:
    """Make a move. A bot's moves against the computer are delayed, as on Lichess."""
    seat = _seat(state, request)

    def act() -> Response:
        offering = request.query.get("offeringDraw")
        seat.move(request.params["move"], offering_draw=None if offering is None else trueish(offering))
        return Response()

    if request.me.is_bot and seat.game.players[not seat.color].ai_level is not None:
        return DelayedResponse(state.world.config.ai_move_delay_s, act)
    return act()


def post_chat(state: AppState, request: Request) -> Response:
    """Write a chat line."""
    seat = _seat(state, request)
    room, text = request.text("room"), request.text("text")
    check_field(room in ROOMS, "room")
    check_field(text, "text", errors.REQUIRED)
    check_field(len(text) <= MAX_CHARS, "text", f"Maximum length is {MAX_CHARS}")
    seat.say(text, room)
    return Response()


def get_chat(state: AppState, request: Request) -> Response:
    """Return the lines of the players' room."""
    lines = _seat(state, request).game.chat.lines
    return Response([{"text": said.text, "user": said.username} for said in lines if said.room == "player"])


def _acting(act: Callable[[Seat, Request], None]) -> Handler:
    """Return a handler that lets the player act and answers ok."""

    def serve(state: AppState, request: Request) -> Response:
        act(_seat(state, request), request)
        return Response()

    return serve


def get_game_stream(state: AppState, request: Request) -> Streaming:
    """Stream gameFull, then every change until the end. The player is present while it is open."""
    seat, world, agent = _seat(state, request), state.world, request.headers.get("user-agent", "")
    game, color, player = seat.game, seat.color, seat.game.players[seat.color]

    def opened(subscriber: Subscriber) -> None:
        for old in list(world.broadcaster.game_streams.get(game.id, ())):
            if old.color == color and old.subscriber.user_agent == agent:
                old.subscriber.close()
        hears_spectators = player.account is not None and player.account.is_bot
        stream = GameStream(subscriber, color, hears_spectators)
        subscriber.on_close.append(lambda: closed(stream))
        world.broadcaster.game_streams.setdefault(game.id, []).append(stream)
        subscriber.push(json_line(json_objects.game_full(game, world.now_ms())))
        offers.arrive(game, color)
        if (line := world.broadcaster.gone_line(game, not color)) is not None:
            subscriber.push(line)
        if not game.playable:
            subscriber.close()

    def closed(stream: GameStream) -> None:
        streams = world.broadcaster.game_streams[game.id]
        streams.remove(stream)
        if not streams:
            del world.broadcaster.game_streams[game.id]
        player.connections -= 1
        player.disconnected_at_ms = world.now_ms()
        if player.connections == 0 and game.playable:
            asyncio.get_running_loop().call_later(world.config.gone_after_s, _leave, world, game, color)

    return streaming(world.config.game_keepalive_s, opened, agent)


def _leave(world: World, game: Game, color: chess.Color) -> None:
    """Mark a player as gone, unless a stream was open meanwhile."""
    grace_s, since_ms = world.config.gone_after_s, game.players[color].disconnected_at_ms
    if world.down:  # all streams are cut, so nobody has left
        asyncio.get_running_loop().call_later(grace_s, _leave, world, game, color)
    elif world.now_ms() - since_ms >= grace_s * 1000 - TIMER_SLACK_MS:
        offers.leave(game, color, since_ms)


_ACTIONS: tuple[tuple[str, str, str, Handler], ...] = (
    ("move", "POST", "{game_id}/move/{move}", post_move),
    ("game_stream", "GET", "stream/{game_id}", get_game_stream),
    ("chat", "POST", "{game_id}/chat", post_chat),
    ("read_chat", "GET", "{game_id}/chat", get_chat),
    ("abort", "POST", "{game_id}/abort", _acting(lambda seat, _: seat.abort())),
    ("resign", "POST", "{game_id}/resign", _acting(lambda seat, _: seat.resign())),
    ("draw", "POST", "{game_id}/draw/{accept}", _acting(lambda seat, r: seat.draw(trueish(r.params["accept"])))),
    ("takeback", "POST", "{game_id}/takeback/{accept}", _acting(lambda s, r: s.takeback(trueish(r.params["accept"])))),
    ("claim_victory", "POST", "{game_id}/claim-victory", _acting(lambda seat, _: seat.claim(win=True))),
    ("claim_draw", "POST", "{game_id}/claim-draw", _acting(lambda seat, _: seat.claim(win=False))),
)


def play_specs() -> list[Spec]:
    """Endpoints of both APIs; the bot's names are bare, the board's begin with `board_`."""
    bot, board = ("bot:play",), ("board:play",)
    specs = []
    for prefix, root, scopes, bots in (("", "bot", bot, True), ("board_", "board", board, False)):
        for name, method, tail, do in _ACTIONS:
            path, stream = f"/api/{root}/game/{tail}", name == "game_stream"
            handler = _for_api(do, bots=bots)
            specs.append(Spec(prefix + name, method, path, handler, scopes, bots, stream=stream))
    berserk = "/api/board/game/{game_id}/berserk"
    return [
        *specs,
        Spec("board_berserk", "POST", berserk, _acting(lambda seat, _: seat.game.go_berserk(seat.color)), board, False),
    ]
