"""Challenges over HTTP: forms to terms, keep-alive streams, games against the computer, more time."""

from __future__ import annotations

from starlette.types import Receive, Send

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError, FormError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.request import Request, trueish
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer, Streaming
from bot.fake_lichess.wire.streams import Subscriber, serve_lines
from bot.fake_lichess.world import json_objects, limits
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import RULES, Challenge, Terms, challenge_json
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.seat import Seat
from bot.fake_lichess.world.variants import COLOR_NAMES, find_variant

SHORT_LIMITS = (0, 15, 30, 45, 60, 90)
DAYS = (1, 2, 3, 5, 7, 10, 14)
MAX_LIMIT_S, MAX_INCREMENT_S, MAX_GIVEN_S = 10_800, 60, 86_400
COLOR_WORDS = ("white", "black", "random")


def read_control(request: Request, allow_any: bool) -> TimeControl:
    """The clock of a form: seconds on the wire; raises FormError. `allow_any` takes any limit, also broken seconds."""
    limit, increment, days = request.number("clock.limit"), request.number("clock.increment"), request.number("days")
    if limit is not None or increment is not None:
        if limit is None or increment is None:
            raise FormError({"clock.limit" if limit is None else "clock.increment": ["This field is required"]})
        if limit < 0 or increment < 0 or not (allow_any or _is_usual(limit, increment)):
            raise FormError({"clock.limit": [errors.INVALID_VALUE]})
        return TimeControl(round(limit * 1000), round(increment * 1000))
    if days is not None and days not in DAYS:
        raise FormError({"days": [errors.INVALID_VALUE]})
    return TimeControl(days=None if days is None else int(days))


def _is_usual(limit: float, increment: float) -> bool:
    usual = limit in SHORT_LIMITS or (limit % 60 == 0 and limit <= MAX_LIMIT_S)
    return usual and increment == int(increment) and increment <= MAX_INCREMENT_S and limit + increment > 0


def read_terms(request: Request, allow_any: bool) -> Terms:
    """The terms of a challenge form; raises FormError."""
    variant = find_variant(request.text("variant", "standard") or "standard")
    if variant is None:
        raise FormError({"variant": [errors.INVALID_VALUE]})
    color = request.text("color", "random") or "random"
    if color not in COLOR_WORDS:
        raise FormError({"color": [errors.INVALID_VALUE]})
    rules = tuple(rule for rule in request.text("rules", "").split(",") if rule)
    if not set(rules) <= set(RULES):
        raise FormError({"rules": [errors.INVALID_VALUE]})
    rated = request.text("rated", "false")
    if rated not in ("true", "false", "1", "0", "on", "off"):
        raise FormError({"rated": [errors.INVALID_VALUE]})
    fen = request.form.get("fen") or None
    if fen is not None and variant.key == "standard":
        variant = find_variant("fromPosition") or variant
    return Terms(variant, read_control(request, allow_any), trueish(rated), color, fen, rules)


def post_challenge(state: AppState, request: Request) -> Answer | Streaming:
    """Challenge a user."""
    dest = state.world.account(request.params["username"])
    _charge(state, request.me, dest)
    terms = read_terms(request, state.world.config.allow_any_clock)
    lasting = trueish(request.form.get("keepAliveStream", "false"))
    challenge = state.lobby.send(request.me, dest, terms, lasting=lasting)
    if lasting:
        return _KeepAlive(state, challenge, request.me)
    return Answer(challenge_json(challenge, state.world.base_url, request.me))


def _charge(state: AppState, challenger: Account, dest: Account) -> None:
    cost = 0 if challenger.id in dest.followed_by else 1 if dest.is_bot else limits.CHALLENGE_TO_PERSON_COST
    now_s = state.world.now_ms() / 1000
    for name, rule in (("minute", limits.CHALLENGE_PER_MINUTE), ("day", limits.CHALLENGE_PER_DAY)):
        if cost and not state.world.limiter.take(f"challenge.{name}", challenger.id, rule, now_s, cost):
            raise ApiError(429, errors.TOO_MANY)


class _KeepAlive:
    """The challenge, then empty lines, then how it ended; closing it withdraws the challenge."""

    def __init__(self, state: AppState, challenge: Challenge, me: Account) -> None:
        self.state, self.challenge, self.me = state, challenge, me

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until the challenge is answered."""
        subscriber = Subscriber(self.state.world.config.event_keepalive_s)
        subscriber.push(encoding.line(challenge_json(self.challenge, self.state.world.base_url, self.me)))

        def done(status: str) -> None:
            subscriber.push(encoding.line({"done": status}))
            subscriber.close()

        if self.challenge.pending:
            self.challenge.watchers.append(done)
        else:
            done(self.challenge.status)
        await serve_lines(subscriber, receive, send)
        self.state.lobby.expire(self.challenge)


def post_accept(state: AppState, request: Request) -> Answer:
    """Accept a challenge."""
    state.lobby.accept(request.me, request.params["challenge_id"])
    return Answer()


def post_decline(state: AppState, request: Request) -> Answer:
    """Decline a challenge with a reason."""
    state.lobby.decline(request.me, request.params["challenge_id"], request.text("reason", "generic"))
    return Answer()


def post_cancel(state: AppState, request: Request) -> Answer:
    """Cancel one's own challenge."""
    state.lobby.cancel(request.me, request.params["challenge_id"])
    return Answer()


def get_challenges(state: AppState, request: Request) -> Answer:
    """Pending challenges, in and out."""
    base = state.world.base_url
    incoming = [challenge_json(c, base, request.me) for c in state.lobby.incoming(request.me)]
    outgoing = [challenge_json(c, base, request.me) for c in state.lobby.outgoing(request.me)]
    return Answer({"in": incoming, "out": outgoing})


def get_challenge(state: AppState, request: Request) -> Answer:
    """One challenge, in whatever state."""
    challenge = state.lobby.challenges.get(request.params["challenge_id"])
    if challenge is None or request.me not in (challenge.challenger, challenge.dest):
        raise ApiError(404, errors.NOT_FOUND)
    return Answer(challenge_json(challenge, state.world.base_url, request.me))


def post_ai(state: AppState, request: Request) -> Answer:
    """Play the computer."""
    level = request.number("level")
    if level is None or level not in range(1, 9):
        raise FormError({"level": [errors.INVALID_VALUE]})
    terms = read_terms(request, state.world.config.allow_any_clock)
    game, color = state.lobby.play_ai(request.me, terms, int(level))
    body: Json = {
        "id": game.id,
        "variant": json_objects.variant_json(game.spec.variant),
        "speed": game.spec.speed,
        "perf": game.spec.perf,
        "rated": False,
        "source": "ai",
        "createdAt": game.created_at_ms,
        "fen": game.board.fen(),
        "turns": 0,
        "status": json_objects.status_json(game),
        "player": COLOR_NAMES[game.board.turn],
        "fullId": game.players[color].full_id,
    }
    return Answer(body, 201)


def post_add_time(state: AppState, request: Request) -> Answer:
    """Give the opponent time."""
    game, color = state.world.seat_of(request.me, request.params["game_id"])
    text = request.params["seconds"]
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= MAX_GIVEN_S:
        raise ApiError(400, errors.INVALID_VALUE)
    if not game.playable or "noGiveTime" in game.spec.rules:
        raise ApiError(400, "You cannot give time on this game")
    Seat(state.world, game, color).give_time(int(text))
    return Answer()


_PLAY = ("challenge:write", "bot:play", "board:play")
_ROOT = "/api/challenge/{challenge_id}"
CHALLENGE_SPECS = [
    Spec("challenge_ai", "POST", "/api/challenge/ai", post_ai, _PLAY),
    Spec("challenge_list", "GET", "/api/challenge", get_challenges, ("challenge:read",)),
    Spec("challenge_show", "GET", f"{_ROOT}/show", get_challenge, ("challenge:read",)),
    Spec("challenge_accept", "POST", f"{_ROOT}/accept", post_accept, _PLAY),
    Spec("challenge_decline", "POST", f"{_ROOT}/decline", post_decline, _PLAY),
    Spec("challenge_cancel", "POST", f"{_ROOT}/cancel", post_cancel, _PLAY),
    Spec("challenge", "POST", "/api/challenge/{username}", post_challenge, _PLAY),
    Spec("add_time", "POST", "/api/round/{game_id}/add-time/{seconds}", post_add_time, ("challenge:write",)),
]
