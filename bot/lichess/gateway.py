"""The Lichess API as the bot uses it: one method per request, all of them through berserk.

Every request goes through `berserk.session.Requestor` with our session (session.py) and our handlers (formats.py,
streams.py). Methods of `berserk.Client` are used where they return nothing or raw JSON: our handler then bounds the
JSON, and ids are quoted here, which berserk does not do. Its other methods decode with unbounded handlers of their
own (users, online bots, teams), convert fields to datetime and timedelta (account, exports, tokens), drop keep-alives
(streams), or do not exist in berserk 0.14 (draws, takebacks, claims, `offeringDraw`, the bot's chat).

Every method raises only LichessError: RateLimited (also without a request, while a limit lasts), Unauthorized,
NotFound, Rejected, ServerError, NetworkError. All methods may be called from any thread.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from berserk import clients
from berserk.formats import FormatHandler
from berserk.session import Requestor
from requests.adapters import HTTPAdapter

from bot.errors import ServerError
from bot.events.account import AccountEvent, Challenge, GameInfo, parse_account_event, parse_challenge, parse_game_info
from bot.events.game import ChatLine, GameEvent, GameExport, parse_chat_line, parse_game_event, parse_game_export
from bot.events.reading import clean, mapping, read_json
from bot.lichess.formats import JSON, JSON_FOR_PLAIN_TEXT, JSON_LINES, NOTHING, Events, EventStream, OtherHost
from bot.lichess.rate_limits import BOT_VS_BOT_DAY, Endpoint, RateLimits, TokenState
from bot.lichess.session import (
    CONNECT_TIMEOUT_S,
    HEADERS_TIMEOUT_S,
    BotSession,
    StreamAdapter,
    may_see_token,
    user_agent,
)
from bot.lichess.translate import refused, refused_by_host, translated
from bot.lichess.values import (
    Account,
    Arena,
    ChallengeTerms,
    OnlineBot,
    Team,
    UserProfile,
    UserStatus,
    entries,
    parse_account,
    parse_arena,
    parse_online_bot,
    parse_scopes,
    parse_team,
    parse_user_profile,
    parse_user_status,
)

T = TypeVar("T")

MOST_CHAT_CHARACTERS = 140
MOST_ONLINE_BOTS = 512  # the server lists 200 at most
STREAM_SILENCE_S = 20.0
MOVE_TIMEOUT_S = 5.0  # for the answer to a move: the clock runs


class Gateway:
    """The API of the server at `url` for the account of one token. Implements `bot.lichess.Server`."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        limits: RateLimits | None = None,
        connections: int = 64,
        stream_silence_s: float = STREAM_SILENCE_S,
    ) -> None:
        self.url = url.rstrip("/")
        self.limits = limits or RateLimits()
        self._token_state = TokenState()
        self._token = token
        pool = HTTPAdapter(pool_connections=8, pool_maxsize=connections)
        self._session = BotSession(token, self.url, adapter=pool)
        # Streams have connections of their own: closing a stream that is about to end must not break a connection that
        # already carries a move.
        self._stream_adapter = StreamAdapter(connections, stream_silence_s)
        self._stream_session = BotSession(token, self.url, adapter=self._stream_adapter)
        self._stream_session.headers = self._session.headers
        self._requests = Requestor(self._session, self.url, JSON)
        self._stream_requests = Requestor(self._stream_session, self.url, JSON)
        self._account = clients.Account(self._session, self.url)
        self._bots = clients.Bots(self._session, self.url)
        self._challenges = clients.Challenges(self._session, self.url)
        for client in (self._account, self._bots, self._challenges):
            client._r = self._requests  # berserk's own has handlers that decode JSON without bounds
        self._streams: weakref.WeakSet[EventStream[Any]] = weakref.WeakSet()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close all streams and connections, also streams that are being opened."""
        self._stream_adapter.interrupt()
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.close()
        self._stream_session.close()
        self._session.close()

    @property
    def _host(self) -> str:
        return urlsplit(self.url).netloc

    def identify(self, username: str) -> None:
        """Put the account's name into the User-Agent from now on. Call it before opening streams."""
        self._session.headers["User-Agent"] = user_agent(username)

    @contextmanager
    def _asking(self, endpoint: Endpoint, key: str = "") -> Iterator[None]:
        """Wrap one request: check limits and token, translate errors, note the result.

        `key` names a limit that concerns only some requests of the endpoint.
        """
        self.limits.check(endpoint, key)
        with self._token_state.asking(endpoint):
            if endpoint is Endpoint.EVENT_STREAM:
                self.limits.note_stream_open()
            with translated(f"{self._host} ({endpoint})", partial(refused, endpoint=endpoint, limits=self.limits)):
                yield
        self.limits.note_success(endpoint)

    def _get(
        self, path: str, endpoint: Endpoint = Endpoint.OTHER, fmt: FormatHandler[Any] = JSON, **params: int | str
    ) -> Any:
        with self._asking(endpoint):
            return self._requests.get(path, params=params or None, fmt=fmt)

    def _post(self, path: str, endpoint: Endpoint = Endpoint.OTHER, **form: str) -> Any:
        with self._asking(endpoint):
            return self._requests.post(path, data={name: value for name, value in form.items() if value} or None)

    # The account.

    def account(self) -> Account:
        """Return the account of our token. The server allows 30 requests in 5 minutes."""
        return parse_account(self._get("/api/account", Endpoint.ACCOUNT))

    def test_token(self) -> frozenset[str] | None:
        """Return the scopes of our token; None when the server does not know it."""
        with self._asking(Endpoint.OTHER):
            answer = self._requests.post("/api/token/test", data=self._token, fmt=JSON_FOR_PLAIN_TEXT)
        return parse_scopes(mapping(answer).get(self._token))

    def upgrade(self) -> None:
        """Turn the account into a bot account, irreversibly. Raises Rejected when it has played games."""
        with self._asking(Endpoint.ACCOUNT):
            self._account.upgrade_to_bot()  # type: ignore[no-untyped-call]  # berserk gives it no types

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """Return the running games, 50 at most."""
        answer = mapping(self._get("/api/account/playing", Endpoint.ACCOUNT, nb=50))
        return tuple(parse_game_info(entry) for entry in entries(answer.get("nowPlaying")))

    # Streams.

    def stream_events(self) -> EventStream[AccountEvent]:
        """Open the account's stream. Raises RateLimited after 28 openings in 10 minutes, with the time to wait."""
        return self._stream("/api/stream/event", parse_account_event, Endpoint.EVENT_STREAM)

    def stream_game(self, game_id: str) -> EventStream[GameEvent]:
        """Open the stream of one game; its first event is a GameFull."""
        return self._stream(f"/api/bot/game/stream/{_id(game_id)}", parse_game_event, Endpoint.GAME_STREAM)

    def _stream(self, path: str, parse: Callable[[dict[str, Any]], T], endpoint: Endpoint) -> EventStream[T]:
        timeout, fmt = (CONNECT_TIMEOUT_S, HEADERS_TIMEOUT_S), Events(parse, f"{endpoint} of {self._host}")
        with self._asking(endpoint):
            stream: Any = self._stream_requests.get(path, stream=True, fmt=fmt, timeout=timeout)
        with self._lock:
            self._streams.add(stream)
        opened: EventStream[T] = stream
        return opened

    # Games.

    def post_move(self, game_id: str, uci: str, offering_draw: bool = False) -> None:
        """Play a move. NetworkError leaves open whether it was applied.

        A redirect is not followed: it would turn the POST into a GET, which succeeds and plays no move.
        """
        with self._asking(Endpoint.MOVE):
            self._requests.post(
                f"/api/bot/game/{_id(game_id)}/move/{_id(uci)}",
                params={"offeringDraw": "true"} if offering_draw else None,
                fmt=NOTHING,
                timeout=(CONNECT_TIMEOUT_S, MOVE_TIMEOUT_S),
                allow_redirects=False,
            )

    def chat(self, game_id: str, room: str, text: str) -> None:
        """Send a chat line to `room` ("player" or "spectator"); text beyond 140 characters is cut off."""
        with self._asking(Endpoint.CHAT):
            self._bots.post_message(_id(game_id), clean(text)[:MOST_CHAT_CHARACTERS], spectator=room == "spectator")

    def read_chat(self, game_id: str) -> tuple[ChatLine, ...]:
        """Return the lines of the players' room, of a running game or a finished one."""
        lines = entries(self._get(f"/api/bot/game/{_id(game_id)}/chat", Endpoint.CHAT))
        return tuple(map(parse_chat_line, lines))

    def abort(self, game_id: str) -> None:
        """Abort a game with fewer than two plies."""
        with self._asking(Endpoint.GAME_ACTION):
            self._bots.abort_game(_id(game_id))

    def resign(self, game_id: str) -> None:
        """Resign; a game with fewer than two plies is aborted instead."""
        with self._asking(Endpoint.GAME_ACTION):
            self._bots.resign_game(_id(game_id))

    def draw(self, game_id: str, accept: bool) -> None:
        """Offer or accept a draw, or decline one; the server answers "ok" either way."""
        self._act(game_id, "draw/yes" if accept else "draw/no")

    def takeback(self, game_id: str, accept: bool) -> None:
        """Propose or accept a takeback, or decline one."""
        self._act(game_id, "takeback/yes" if accept else "takeback/no")

    def claim_victory(self, game_id: str) -> None:
        """Claim victory over an opponent who left. Raises Rejected before the server allows it."""
        self._act(game_id, "claim-victory")

    def claim_draw(self, game_id: str) -> None:
        """Claim a draw against an opponent who left."""
        self._act(game_id, "claim-draw")

    def _act(self, game_id: str, action: str) -> None:
        self._post(f"/api/bot/game/{_id(game_id)}/{action}", Endpoint.GAME_ACTION)

    def export_game(self, game_id: str) -> GameExport:
        """Return one game with its result; of a running game the server holds back the last three plies."""
        path = f"/game/export/{_id(game_id)}"
        export = parse_game_export(self._get(path, moves="true", clocks="true", evals="false", opening="false"))
        if export is None:
            raise ServerError(200, f"the export of {game_id} is not a game")
        return export

    # Challenges.

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept a challenge; `against_bot`: the daily limit of games between bots applies."""
        with self._asking(Endpoint.ANSWER, BOT_VS_BOT_DAY if against_bot else ""):
            self._bots.accept_challenge(_id(challenge_id))

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline a challenge with one of the server's reasons, such as "tooFast"."""
        known: Any = reason  # berserk names the reasons that it knows; the server reads others as "generic"
        with self._asking(Endpoint.ANSWER):
            self._bots.decline_challenge(_id(challenge_id), known)

    def cancel_challenge(self, challenge_id: str) -> None:
        """Cancel a challenge of ours; if it has just been accepted, the game is aborted."""
        with self._asking(Endpoint.ANSWER):
            self._challenges.cancel(_id(challenge_id))

    def create_challenge(self, terms: ChallengeTerms, *, against_bot: bool = False) -> Challenge:
        """Challenge a user; `against_bot`: the daily limit of games between bots applies."""
        what: dict[str, Any] = {"color": terms.color, "variant": terms.variant, "days": terms.days}
        if terms.limit_s is not None:
            what |= {"clock_limit": terms.limit_s, "clock_increment": terms.increment_s, "days": None}
        with self._asking(Endpoint.CHALLENGE, BOT_VS_BOT_DAY if against_bot else ""):
            answer = mapping(self._challenges.create(_id(terms.username), terms.rated, **what))
        return parse_challenge(answer.get("challenge") or answer)

    # Other users, arenas and teams.

    def users_status(self, *user_ids: str) -> tuple[UserStatus, ...]:
        """Return which of up to 100 users are online and which are playing."""
        return tuple(map(parse_user_status, entries(self._get("/api/users/status", ids=",".join(user_ids)))))

    def online_bots(self) -> tuple[OnlineBot, ...]:
        """Return bots that are online now, up to 512."""
        lines = self._get("/api/bot/online", fmt=JSON_LINES, nb=MOST_ONLINE_BOTS)
        return tuple(bot for bot in map(parse_online_bot, lines) if bot.id)

    def user_profile(self, user_id: str) -> UserProfile:
        """Return the public facts about a user. Raises NotFound."""
        return parse_user_profile(self._get(f"/api/user/{_id(user_id)}"))

    def arena(self, arena_id: str) -> Arena:
        """Return an arena's current state. Raises NotFound."""
        return parse_arena(self._get(f"/api/tournament/{_id(arena_id)}"))

    def join_arena(self, arena_id: str, *, team: str = "", password: str = "", pair_now: bool = False) -> None:
        """Join an arena, or return from a break; `pair_now` also asks for a game, which holds for a minute.

        Raises Rejected with the server's reason.
        """
        path, now = f"/api/tournament/{_id(arena_id)}/join", "true" if pair_now else ""
        self._post(path, team=team, password=password, pairMeAsap=now)

    def withdraw_from_arena(self, arena_id: str) -> None:
        """Leave an arena that has not begun, or take a break from one that has."""
        self._post(f"/api/tournament/{_id(arena_id)}/withdraw")

    def team(self, team_id: str) -> Team:
        """Return a team and whether we belong to it. Raises NotFound."""
        return parse_team(self._get(f"/api/team/{_id(team_id)}"))

    def join_team(self, team_id: str, *, password: str = "", message: str = "") -> None:
        """Join a team, or ask to be admitted. Raises Rejected with the server's reason."""
        self._post(f"/team/{_id(team_id)}/join", password=password, message=message)

    # Other hosts.

    def fetch_json(self, url: str, params: dict[str, str], *, timeout_s: float) -> Any:
        """Return JSON from another service, such as the opening explorer or a tablebase, within `timeout_s`.

        Some answers come in lines, each better than the one before: the last line that arrives in time counts, and the
        first line has as much time again. The token is sent to our server and to Lichess's own hosts only.
        """
        return self._fetch(url, params, timeout_s, OtherHost("application/json", timeout_s), read_json)

    def fetch_text(self, url: str, *, max_bytes: int, timeout_s: float) -> str:
        """Return a text from anywhere, such as a list of users; the token is sent as with `fetch_json`."""
        fmt = OtherHost("text/plain, */*", timeout_s, max_bytes)
        text: str = self._fetch(url, None, timeout_s, fmt, lambda body: body.decode("utf-8", "replace"))
        return text

    def _fetch(
        self,
        url: str,
        params: dict[str, str] | None,
        timeout_s: float,
        fmt: OtherHost,
        decode: Callable[[bytes], Any],
    ) -> Any:
        """Send one request; a 429 limits further requests to that host alone."""
        host = urlsplit(url).hostname or ""
        self.limits.check(Endpoint.OTHER, host)
        if not may_see_token(url, self.url):
            fmt.withhold_token()
        with translated(host, partial(refused_by_host, host=host, limits=self.limits)):
            timeout = (timeout_s, timeout_s)
            body: Any = self._requests.get(url, stream=True, params=params, fmt=fmt, timeout=timeout)
            return decode(body)


def _id(text: str) -> str:
    """Quote an id or user name for use in a path."""
    return quote(text, safe="")
