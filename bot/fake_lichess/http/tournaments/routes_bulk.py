"""Bulk pairings over HTTP."""

from __future__ import annotations

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError, FormError
from bot.fake_lichess.http.challenge_form import read_terms
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import games_answer
from bot.fake_lichess.http.request import MAX_EPOCH_MS, Request
from bot.fake_lichess.pairing.bulk_pairings import Bulk, now_ms
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.accounts import Account, Token
from bot.fake_lichess.world.challenges import Terms, check_rated
from bot.fake_lichess.world.json_objects import Json

MAX_GAMES = 500
MAX_AHEAD_MS = 7 * 86_400_000
PLAYING_SCOPES = {"challenge:write", "bot:play", "board:play"}


class BadTokensError(ApiError):
    """Some of the players' tokens are none."""

    def __init__(self, tokens: list[str]) -> None:
        super().__init__(400, "Invalid tokens", {"tokens": tokens})

    def body(self) -> object:
        """The tokens alone, as the server writes it."""
        return {"error": self.extra}


def _read_pairs(state: AppState, request: Request) -> list[tuple[Account, Account]]:
    """White and Black of each game; raises FormError, or BadTokensError for tokens that may not play."""
    text = request.text("players")
    pairs = [tuple(part.strip() for part in pair.split(":")) for pair in text.split(",") if pair.strip()]
    if not 0 < len(pairs) <= MAX_GAMES or any(len(pair) != 2 for pair in pairs):
        raise FormError({"players": [errors.INVALID_VALUE]})
    texts = [one for pair in pairs for one in pair]
    tokens = {one: state.world.registry.token(one) for one in texts}
    bad = [one for one, token in tokens.items() if not _may_play(token)]
    if bad:
        raise BadTokensError(bad)
    names = [token.account_id for one in texts if (token := tokens[one]) is not None]
    if len(set(names)) < len(names):
        raise FormError({"players": ["Duplicated players"]})
    accounts = [state.world.account(name) for name in names]
    return list(zip(accounts[::2], accounts[1::2], strict=True))


def _may_play(token: Token | None) -> bool:
    return token is not None and bool(PLAYING_SCOPES & set(token.scopes))


def _read_time(request: Request, name: str) -> int | None:
    found = request.number(name, MAX_EPOCH_MS)
    if found is not None and found > now_ms() + MAX_AHEAD_MS:
        raise FormError({name: [errors.INVALID_VALUE]})
    return None if found is None else int(found)


def _read_terms(state: AppState, request: Request) -> Terms:
    terms = read_terms(request, state.world.config.allow_any_clock)
    if terms.control.limit_ms is None and terms.control.days is None:
        raise FormError({"clock.limit": ["This field is required"]})
    check_rated(terms)
    state.lobby.check_position(terms)
    return terms


def bulk_json(bulk: Bulk) -> Json:
    """A bulk pairing as the server writes it."""
    control = bulk.terms.control
    found: Json = {
        "id": bulk.id,
        "games": [{"id": key, "white": white.id, "black": black.id} for key, (white, black) in bulk.games.items()],
        "variant": bulk.terms.variant.key,
        "rated": bulk.terms.rated,
        "pairAt": bulk.pair_at_ms,
        "pairedAt": bulk.paired_at_ms,
        "startClocksAt": bulk.start_clocks_at_ms,
        "scheduledAt": bulk.scheduled_at_ms,
    }
    if control.limit_ms is not None:
        clock = {"limit": control.limit_ms // 1000, "increment": control.increment_ms // 1000}
        return found | {"clock": clock}
    return found | {"correspondence": {"daysPerTurn": control.days}}


def post_bulk(state: AppState, request: Request) -> Answer:
    """Pair many players, now or later."""
    pairs, terms = _read_pairs(state, request), _read_terms(state, request)
    bulk = state.bulks.add(
        request.me, terms, pairs, _read_time(request, "pairAt"), _read_time(request, "startClocksAt")
    )
    return Answer(bulk_json(bulk))


def get_bulks(state: AppState, request: Request) -> Answer:
    """One's own bulk pairings."""
    return Answer([bulk_json(bulk) for bulk in state.bulks.of(request.me)])


def _found(state: AppState, request: Request) -> Bulk:
    return state.bulks.find(request.me, request.params["id"])


def get_bulk(state: AppState, request: Request) -> Answer:
    """One bulk pairing."""
    return Answer(bulk_json(_found(state, request)))


def delete_bulk(state: AppState, request: Request) -> Answer:
    """Cancel games that have not begun."""
    state.bulks.cancel(_found(state, request))
    return Answer()


def post_start_clocks(state: AppState, request: Request) -> Answer:
    """Start all clocks now."""
    state.bulks.start_clocks(_found(state, request))
    return Answer()


def get_bulk_games(state: AppState, request: Request) -> Answer:
    """The games that have begun."""
    ids = _found(state, request).games
    games = [state.world.games[game_id] for game_id in ids if game_id in state.world.games]
    return games_answer(request, games, state.world.base_url)


_BULK = ("challenge:bulk",)
_ROOT = "/api/bulk-pairing/{id}"
BULK_SPECS = [
    Spec("bulks", "GET", "/api/bulk-pairing", get_bulks, _BULK),
    Spec("bulk_create", "POST", "/api/bulk-pairing", post_bulk, _BULK),
    Spec("bulk_start_clocks", "POST", f"{_ROOT}/start-clocks", post_start_clocks, _BULK),
    Spec("bulk", "GET", _ROOT, get_bulk, _BULK),
    Spec("bulk_cancel", "DELETE", _ROOT, delete_bulk, _BULK),
    Spec("bulk_games", "GET", f"{_ROOT}/games", get_bulk_games, _BULK),
]
