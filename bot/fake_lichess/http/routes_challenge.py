"""Challenges over HTTP, keep-alive streams, games against the computer, more time."""

from __future__ import annotations

import time

import chess

from .. import errors
from ..errors import ApiError, check_field
from ..wire.responses import Response, Streaming, Subscriber, json_line, streaming
from ..world import json_objects, limits
from ..world.accounts import Account
from ..world.challenges import Challenge, challenge_json, open_challenge_json
from ..world.game_end import GameEnd
from ..world.seat import Seat
from ..world.server_game import Game
from ..world.variants import COLORS
from .challenge_form import read_terms
from .endpoint import AppState, Spec
from .request import MAX_EPOCH_MS, Request, trueish

GIVEN_S = range(5, 61)
OPEN_LIFE_S, MAX_OPEN_LIFE_S = 86_400, 14 * 86_400


def post_challenge(state: AppState, request: Request) -> Response | Streaming:
    """Challenge a user."""
    terms = read_terms(request, state.world.config.allow_any_clock)
    lasting = trueish(request.form.get("keepAliveStream", "false"))
    name = request.params["username"]
    dest = state.world.registry.find(name)
    if dest is None:
        raise ApiError(400, f"No such user: {name[:30]}")
    _charge(state, request.me, dest)
    challenge = state.lobby.send(request.me, dest, terms, lasting=lasting, replaces_older=True)
    if lasting:
        return _keep_alive(state, challenge, request.me)
    return Response(challenge_json(challenge, state.world.base_url, request.me))


def _charge(state: AppState, challenger: Account, dest: Account) -> None:
    cost = 1 if dest.is_bot else limits.CHALLENGE_TO_PERSON_COST
    now_s = state.world.now_ms() / 1000
    for name, rule in (("minute", limits.CHALLENGE_PER_MINUTE), ("day", limits.CHALLENGE_PER_DAY)):
        if not state.world.limiter.take(f"challenge.{name}", challenger.id, rule, now_s, cost):
            raise ApiError(429, errors.TOO_MANY)


def _keep_alive(state: AppState, challenge: Challenge, me: Account) -> Streaming:
    """Stream the challenge, empty lines, then how it ended. Without the stream it expires like any other."""

    def opened(subscriber: Subscriber) -> None:
        subscriber.push(json_line(challenge_json(challenge, state.world.base_url, me)))
        subscriber.on_close.append(lambda: state.lobby.leave_unattended(challenge))

        def done(status: str) -> None:
            subscriber.push(json_line({"done": status}))
            subscriber.close()

        if challenge.pending:
            challenge.watchers.append(done)
        else:
            done(challenge.status)

    return streaming(state.world.config.event_keepalive_s, opened)


def post_accept(state: AppState, request: Request) -> Response:
    """Accept a challenge."""
    challenge = state.lobby.challenges.get(request.params["challenge_id"])
    if challenge is not None and challenge.is_open:
        state.lobby.accept_open(request.me, challenge, COLORS.get(request.query.get("color", "")))
    else:
        state.lobby.accept(request.me, request.params["challenge_id"])
    return Response()


def post_open(state: AppState, request: Request) -> Response:
    """Make an open challenge, with or without an account."""
    terms = read_terms(request, state.world.config.allow_any_clock)
    users = tuple(name.strip().lower() for name in request.text("users", "").split(",") if name.strip())
    check_field(len(users) in (0, 2) and all(map(state.world.registry.find, users)), "users")
    expires_at = request.number("expiresAt", MAX_EPOCH_MS)
    life_s = OPEN_LIFE_S if expires_at is None else expires_at / 1000 - time.time()
    check_field(0 < life_s <= MAX_OPEN_LIFE_S, "expiresAt")
    challenge = state.lobby.open(request.account, terms, users, life_s)
    return Response(open_challenge_json(challenge, state.world.base_url))


def post_start_clocks(state: AppState, request: Request) -> Response:
    """Start the clocks of a game before its first moves; needs the tokens of all players."""
    game, tokens = (
        state.world.game(request.params["game_id"]),
        (request.query.get("token1"), request.query.get("token2")),
    )
    found = [state.world.registry.token(text or "") for text in tokens]
    players = {player.account.id for player in game.players.values() if player.account is not None}
    if {token.account_id for token in found if token is not None} != players or len(players) != 2:
        raise ApiError(400, "Invalid token")
    if game.playable:
        game.clock.start(state.world.now_ms())
        state.world.state_changed(game)
    return Response()


def post_decline(state: AppState, request: Request) -> Response:
    """Decline a challenge with a reason."""
    state.lobby.decline(request.me, request.params["challenge_id"], request.text("reason", "generic"))
    return Response()


def post_cancel(state: AppState, request: Request) -> Response:
    """Cancel a challenge, or abort its game. With the opponent's token the game can be aborted at any time."""
    game = state.world.games.get(request.params["challenge_id"])
    color = None if game is None else game.color_of(request.me)
    if game is None or color is None or game.abortable or not game.playable:
        state.lobby.cancel(request.me, request.params["challenge_id"])
    else:
        _abort_with_token(state, request, game, color)
    return Response()


def _abort_with_token(state: AppState, request: Request, game: Game, color: chess.Color) -> None:
    text = request.form.get("opponentToken")
    if not text:
        raise ApiError(400, "Missing opponentToken")
    token, opponent = state.world.registry.token(text), game.players[not color].account
    if token is None:
        raise ApiError(400, errors.NO_SUCH_TOKEN)
    if opponent is None or token.account_id != opponent.id:
        raise ApiError(400, "Not the opponent token")
    game.finish(GameEnd("aborted", None), state.world.now_ms())


def get_challenges(state: AppState, request: Request) -> Response:
    """Return pending challenges, in and out."""
    base = state.world.base_url
    incoming = [challenge_json(c, base, request.me) for c in state.lobby.incoming(request.me)]
    outgoing = [challenge_json(c, base, request.me) for c in state.lobby.outgoing(request.me)]
    return Response({"in": incoming, "out": outgoing})


def get_challenge(state: AppState, request: Request) -> Response:
    """One challenge, in whatever state."""
    challenge = state.lobby.find(request.me, request.params["challenge_id"])
    if challenge is None or challenge.replaced:
        raise ApiError(404, errors.NOT_FOUND)
    return Response(challenge_json(challenge, state.world.base_url, request.me))


def post_ai(state: AppState, request: Request) -> Response:
    """Play the computer."""
    level = request.number("level") or 0
    check_field(level in range(1, 9), "level")
    terms = read_terms(request, state.world.config.allow_any_clock)
    game, color = state.lobby.play_ai(request.me, terms, int(level))
    return Response(json_objects.current_position(game) | {"fullId": game.players[color].full_id}, 201)


def post_add_time(state: AppState, request: Request) -> Response:
    """Give the opponent time."""
    game, color = state.world.seat_of(request.me, request.params["game_id"])
    text = request.params["seconds"]
    if not text.isascii() or not text.isdigit() or int(text[:9]) not in GIVEN_S:
        raise ApiError(400, errors.INVALID_VALUE)
    if not game.playable or game.spec.in_tournament or "noGiveTime" in game.spec.rules:
        raise ApiError(400, "You cannot give time on this game")
    Seat(state.world, game, color).give_time(int(text))
    return Response()


_PLAY = ("challenge:write", "bot:play", "board:play")
_ROOT = "/api/challenge/{challenge_id}"
CHALLENGE_SPECS = [
    Spec("challenge_open", "POST", "/api/challenge/open", post_open, None),
    Spec("start_clocks", "POST", "/api/challenge/{game_id}/start-clocks", post_start_clocks, ("challenge:write",)),
    Spec("challenge_ai", "POST", "/api/challenge/ai", post_ai, _PLAY),
    Spec("challenge_list", "GET", "/api/challenge", get_challenges, ("challenge:read",)),
    Spec("challenge_show", "GET", f"{_ROOT}/show", get_challenge, ("challenge:read",)),
    Spec("challenge_accept", "POST", f"{_ROOT}/accept", post_accept, _PLAY),
    Spec("challenge_decline", "POST", f"{_ROOT}/decline", post_decline, _PLAY),
    Spec("challenge_cancel", "POST", f"{_ROOT}/cancel", post_cancel, _PLAY),
    Spec("challenge", "POST", "/api/challenge/{username}", post_challenge, _PLAY),
    Spec("add_time", "POST", "/api/round/{game_id}/add-time/{seconds}", post_add_time, ("challenge:write",)),
]
