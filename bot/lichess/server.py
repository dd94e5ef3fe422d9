"""The one protocol of the gateway, for everything above it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar

from bot.events.account import AccountEvent, Challenge, GameInfo
from bot.events.game import ChatLine, GameEvent, GameExport
from bot.lichess.values import Account, Arena, ChallengeTerms, OnlineBot, Team, UserProfile, UserStatus

T_co = TypeVar("T_co", covariant=True)


class Stream(Protocol[T_co]):
    """An open stream. One thread iterates; `close`, from any thread, ends the iteration at once."""

    def __iter__(self) -> Iterator[T_co | None]:
        """Yield events, and None for keep-alives, until the clean end; raises StreamBroken."""

    def close(self) -> None:
        """End the iteration."""


class Server(Protocol):
    """The requests of the gateway. Each raises only LichessError and may be called from any thread."""

    # The account.

    def account(self) -> Account:
        """Return the account of our token."""

    def test_token(self) -> frozenset[str] | None:
        """Return the scopes of our token, None if the server does not know it."""

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """Return the running games, 50 at most."""

    def stream_events(self) -> Stream[AccountEvent]:
        """Open the account's stream."""

    # One game.

    def stream_game(self, game_id: str) -> Stream[GameEvent]:
        """Open the game's stream; its first event is a GameFull."""

    def export_game(self, game_id: str) -> GameExport:
        """Return a game, running or finished, as the server keeps it."""

    def post_move(self, game_id: str, uci: str, offering_draw: bool = False) -> object:
        """Play a move."""

    def abort(self, game_id: str) -> None:
        """Abort a game with fewer than two plies."""

    def resign(self, game_id: str) -> None:
        """Resign."""

    def draw(self, game_id: str, accept: bool) -> None:
        """Offer or accept a draw (True), or decline one."""

    def takeback(self, game_id: str, accept: bool) -> None:
        """Accept or decline a takeback."""

    def claim_victory(self, game_id: str) -> None:
        """Claim the win over an opponent who left."""

    def claim_draw(self, game_id: str) -> None:
        """Claim a draw against an opponent who left."""

    def chat(self, game_id: str, room: str, text: str) -> None:
        """Send a chat line to the room "player" or "spectator"."""

    def read_chat(self, game_id: str) -> tuple[ChatLine, ...]:
        """Return the lines of the players' room."""

    # Challenges.

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept a challenge."""

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline a challenge with one of the server's reasons."""

    def cancel_challenge(self, challenge_id: str) -> None:
        """Cancel a challenge of ours."""

    def create_challenge(self, terms: ChallengeTerms, *, against_bot: bool = False) -> Challenge:
        """Challenge a user."""

    # Other users, arenas and teams.

    def users_status(self, *user_ids: str) -> tuple[UserStatus, ...]:
        """Return which users are online and which are playing."""

    def online_bots(self) -> tuple[OnlineBot, ...]:
        """Return bots that are online now."""

    def user_profile(self, user_id: str) -> UserProfile:
        """Return the public facts about a user."""

    def arena(self, arena_id: str) -> Arena:
        """Return an arena's current state."""

    def join_arena(self, arena_id: str, *, team: str = "", password: str = "", pair_now: bool = False) -> None:
        """Join an arena, or return from a break."""

    def withdraw_from_arena(self, arena_id: str) -> None:
        """Leave an arena before its start, or take a break."""

    def team(self, team_id: str) -> Team:
        """Return a team and whether we belong to it."""

    def join_team(self, team_id: str, *, password: str = "", message: str = "") -> None:
        """Join a team, or ask to be admitted."""

    # Other hosts.

    def fetch_json(self, url: str, params: dict[str, str], *, timeout_s: float) -> Any:
        """Return JSON from another service."""

    def fetch_text(self, url: str, *, max_bytes: int, timeout_s: float) -> str:
        """Return a text from another host."""
