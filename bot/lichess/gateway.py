"""The Lichess API as the bot uses it: one method per request.

Every method raises only LichessError: RateLimited (also without a request, while the limit lasts), Unauthorized,
NotFound, Rejected, ServerError, NetworkError. All methods may be called from any thread.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from bot.errors import ServerError
from bot.events import (
    AccountEvent,
    Challenge,
    ChatLine,
    GameEvent,
    GameExport,
    GameInfo,
    parse_account_event,
    parse_challenge,
    parse_game_event,
    parse_game_export,
    parse_game_info,
)
from bot.events.reading import clean, mapping
from bot.events.reading import text as text_of
from bot.lichess.external_services import fetch_json, fetch_text
from bot.lichess.json_answers import JSON_FOR_PLAIN_TEXT
from bot.lichess.moves import MovePoster, MoveReceipt
from bot.lichess.rate_limits import BOT_VS_BOT_DAY, Endpoint, RateLimits
from bot.lichess.session import READ_TIMEOUT_S, user_agent
from bot.lichess.streams import EventStream
from bot.lichess.tournaments import TournamentRequests
from bot.lichess.translate import translated
from bot.lichess.users import UserRequests
from bot.lichess.values import (
    Account,
    TokenInfo,
    UserStatus,
    parse_account,
    parse_token_info,
)

__all__ = ["Account", "Gateway", "MoveReceipt", "TokenInfo", "UserStatus"]

MOST_CHAT_CHARACTERS = 140
STREAM_SILENCE_S = 20.0


class Gateway(TournamentRequests, UserRequests):
    """The API of the server at `url` for the account of one token."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        limits: RateLimits | None = None,
        connections: int = 64,
        stream_silence_s: float = STREAM_SILENCE_S,
    ) -> None:
        super().__init__(url, token, limits or RateLimits(), connections, stream_silence_s)
        self._moves = MovePoster(self._session, self.url, self.limits)

    # -- the account ------------------------------------------------------------------------------------------------

    def identify(self, username: str) -> None:
        """Put the account's name into the User-Agent from now on; call it before opening streams."""
        self._session.headers["User-Agent"] = user_agent(username)
        self._moves = MovePoster(self._session, self.url, self.limits)

    def account(self) -> Account:
        """Return the account of our token. The server allows 30 requests in 5 minutes."""
        return parse_account(self._get("/api/account", Endpoint.ACCOUNT))

    def test_token(self) -> TokenInfo | None:
        """Return the user and the scopes of our token; None when the server does not know it."""
        with translated(Endpoint.OTHER, self.limits):
            answer = self._requests.post("/api/token/test", data=self._token, fmt=JSON_FOR_PLAIN_TEXT)
        return parse_token_info(mapping(answer).get(self._token))

    def upgrade(self) -> None:
        """Turn the account into a bot account, irreversibly. Raises Rejected when it has played games."""
        self._post("/api/bot/account/upgrade", Endpoint.ACCOUNT)

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """Return the running games, 50 at most."""
        answer = mapping(self._get("/api/account/playing", Endpoint.ACCOUNT, nb=50))
        entries = answer.get("nowPlaying")
        return tuple(parse_game_info(entry) for entry in entries) if isinstance(entries, list) else ()

    # -- streams ----------------------------------------------------------------------------------------------------

    def stream_events(self) -> EventStream[AccountEvent]:
        """Open the account's stream. Raises RateLimited after 28 openings in 10 minutes, with the time to wait."""
        self.limits.check(Endpoint.EVENT_STREAM)
        self.limits.note_stream_open()
        return self._stream("/api/stream/event", parse_account_event, Endpoint.EVENT_STREAM)

    def stream_game(self, game_id: str) -> EventStream[GameEvent]:
        """Open the stream of one game; its first event is a GameFull."""
        self.limits.check(Endpoint.GAME_STREAM)
        return self._stream(f"/api/bot/game/stream/{_id(game_id)}", parse_game_event, Endpoint.GAME_STREAM)

    # -- playing ----------------------------------------------------------------------------------------------------

    def post_move(
        self, game_id: str, uci: str, offering_draw: bool = False, *, timeout_s: float = READ_TIMEOUT_S
    ) -> MoveReceipt:
        """Play a move.

        A connection that breaks is tried once more at once; when the server then says that it is not our turn, the
        first attempt had arrived, and that counts as success. NetworkError leaves open whether the move was applied.
        """
        return self._moves.post(game_id, uci, offering_draw, timeout_s)

    def chat(self, game_id: str, room: str, text: str) -> None:
        """Send a chat line to `room` ("player" or "spectator"); text beyond 140 characters is cut off."""
        form = {"room": room, "text": clean(text)[:MOST_CHAT_CHARACTERS]}
        self._post(f"/api/bot/game/{_id(game_id)}/chat", Endpoint.CHAT, form)

    def read_chat(self, game_id: str) -> tuple[ChatLine, ...]:
        """Return the lines of the players' room, of a running game or a finished one."""
        lines = self._get(f"/api/bot/game/{_id(game_id)}/chat", Endpoint.CHAT)
        entries = [mapping(line) for line in lines] if isinstance(lines, list) else []
        return tuple(ChatLine(text_of(entry, "user"), text_of(entry, "text")) for entry in entries)

    def abort(self, game_id: str) -> None:
        """Abort a game with fewer than two plies."""
        self._act(game_id, "abort")

    def resign(self, game_id: str) -> None:
        """Resign; a game with fewer than two plies is aborted instead."""
        self._act(game_id, "resign")

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

    # -- challenges -------------------------------------------------------------------------------------------------

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept a challenge; `against_bot`: the daily limit of games between bots applies."""
        self.limits.check(Endpoint.ANSWER, BOT_VS_BOT_DAY if against_bot else "")
        self._post(f"/api/challenge/{_id(challenge_id)}/accept", Endpoint.ANSWER)

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline a challenge with one of the server's reasons, such as "tooFast"."""
        self._post(f"/api/challenge/{_id(challenge_id)}/decline", Endpoint.ANSWER, {"reason": reason})

    def cancel_challenge(self, challenge_id: str) -> None:
        """Cancel a challenge of ours; if it has just been accepted, the game is aborted."""
        self._post(f"/api/challenge/{_id(challenge_id)}/cancel", Endpoint.ANSWER)

    def create_challenge(
        self,
        username: str,
        *,
        rated: bool = False,
        clock_limit_s: int | None = None,
        clock_increment_s: int = 0,
        days: int | None = None,
        color: str = "random",
        variant: str = "standard",
        fen: str = "",
        against_bot: bool = False,
    ) -> Challenge:
        """Challenge a user: with a clock, with days per turn, or (neither given) without a time limit."""
        self.limits.check(Endpoint.CHALLENGE, BOT_VS_BOT_DAY if against_bot else "")
        form = _challenge_form(clock_limit_s, clock_increment_s, days, color, variant, fen)
        form["rated"] = "true" if rated else "false"
        answer = mapping(self._post(f"/api/challenge/{_id(username)}", Endpoint.CHALLENGE, form))
        return parse_challenge(answer.get("challenge") or answer)

    def challenge_ai(
        self,
        level: int,
        *,
        clock_limit_s: int | None = None,
        clock_increment_s: int = 0,
        days: int | None = None,
        color: str = "random",
        variant: str = "standard",
        fen: str = "",
    ) -> str:
        """Start a game against the server's Stockfish, level 1 to 8; returns the game's id."""
        form = _challenge_form(clock_limit_s, clock_increment_s, days, color, variant, fen)
        answer = mapping(self._post("/api/challenge/ai", Endpoint.CHALLENGE, form | {"level": str(level)}))
        return str(answer.get("id") or "")

    # -- looking around ---------------------------------------------------------------------------------------------

    def export_game(self, game_id: str) -> GameExport:
        """Return one game with its result; of a running game the server holds back the last three plies."""
        wanted = {"moves": "true", "clocks": "true", "evals": "false", "opening": "false"}
        export = parse_game_export(self._get(f"/game/export/{_id(game_id)}", Endpoint.OTHER, **wanted))
        if export is None:
            raise ServerError(200, f"the export of {game_id} is no game")
        return export

    def fetch_json(self, url: str, params: dict[str, str], *, timeout_s: float) -> Any:
        """Return JSON from another service (opening explorer, cloud evaluation, tablebase) over the same session.

        The token is sent to our server and to Lichess's own hosts only.
        """
        return fetch_json(self._session, self.url, url, params, timeout_s, self.limits)

    def fetch_text(self, url: str, *, max_bytes: int, timeout_s: float) -> str:
        """Return a text from anywhere, such as a list of users; the token goes along as with `fetch_json`."""
        return fetch_text(self._session, self.url, url, max_bytes, timeout_s, self.limits)

    def _act(self, game_id: str, action: str) -> None:
        self._post(f"/api/bot/game/{_id(game_id)}/{action}", Endpoint.GAME_ACTION)


def _id(text: str) -> str:
    """Quote an id or user name for use in a path."""
    return quote(text, safe="")


def _challenge_form(
    clock_limit_s: int | None, clock_increment_s: int, days: int | None, color: str, variant: str, fen: str
) -> dict[str, str]:
    form = {"color": color, "variant": variant}
    if clock_limit_s is not None:
        form |= {"clock.limit": str(clock_limit_s), "clock.increment": str(clock_increment_s)}
    elif days is not None:
        form["days"] = str(days)
    return form | ({"fen": fen} if fen else {})
