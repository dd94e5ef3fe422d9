"""Accounts with their tokens, ratings and records."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bot.fake_lichess.errors import NO_SUCH_TOKEN, ApiError

BOT_SCOPES = ("bot:play", "challenge:read", "challenge:write")
PERSON_SCOPES = ("board:play", "bot:play", "challenge:read", "challenge:write")
K_FACTOR = 20
ANONYMOUS = "anonymous"


@dataclass
class PerfRecord:
    """Rating and number of games in one category."""

    rating: int
    games: int = 0
    progress: int = 0


@dataclass
class Account:
    """A user. `played_by_server`: the server plays it itself; `takebacks`: whether such offers are taken."""

    name: str
    title: str | None = None
    rating: int = 1500
    takebacks: bool = True
    played_by_server: bool = False
    created_at_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    perfs: dict[str, PerfRecord] = field(default_factory=dict)
    record: dict[str, int] = field(default_factory=lambda: {"win": 0, "loss": 0, "draw": 0, "rated": 0, "ai": 0})
    streams: int = 0
    seen_at_ms: int = 0
    followed_by: set[str] = field(default_factory=set)

    @property
    def id(self) -> str:
        """The lower-case name."""
        return self.name.lower()

    @property
    def anonymous(self) -> bool:
        """Someone without an account: has no name and no id on the wire."""
        return self.id == ANONYMOUS

    @property
    def is_bot(self) -> bool:
        """Whether this is a BOT account."""
        return self.title == "BOT"

    @property
    def online(self) -> bool:
        """Someone follows the account's event stream, or the server plays it."""
        return self.played_by_server or self.streams > 0

    @property
    def games_played(self) -> int:
        """Finished games of all categories."""
        return self.record["win"] + self.record["loss"] + self.record["draw"]

    def perf(self, name: str) -> PerfRecord:
        """The record in a category, made on first use."""
        if name not in self.perfs:
            self.perfs[name] = PerfRecord(self.rating)
        return self.perfs[name]

    def count_game(self, perf_name: str, points: float, diff: int | None) -> None:
        """Count a finished game: 1, 0.5 or 0 points; `diff` is the change of rating of a rated one."""
        self.record["draw" if points == 0.5 else "win" if points else "loss"] += 1
        perf = self.perf(perf_name)
        perf.games += 1
        if diff is not None:
            self.record["rated"] += 1
            perf.rating += diff
            perf.progress = max(-500, min(500, perf.progress + diff))


def rating_changes(white: int, black: int, score: float) -> tuple[int, int]:
    """Elo changes of both sides for White's `score` (1, 0.5 or 0), K = 20, rounded away from a drawn zero."""
    expected = 1 / (1 + 10 ** ((black - white) / 400))
    change = round(K_FACTOR * (score - expected))
    return change, -change


@dataclass(frozen=True)
class Token:
    """A personal token: whose, and for what. The text itself stays out of the repr."""

    text: str = field(repr=False)
    account_id: str
    scopes: tuple[str, ...]


class Registry:
    """All accounts and tokens of the server."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._tokens: dict[str, Token] = {}

    def add(self, account: Account, token: str, scopes: tuple[str, ...] | None = None) -> None:
        """Add an account, or a further token for one that exists."""
        self._accounts.setdefault(account.id, account)
        granted = scopes or (BOT_SCOPES if account.is_bot else PERSON_SCOPES)
        self._tokens[token] = Token(token, account.id, granted)

    def all(self) -> list[Account]:
        """Every account, in order of creation."""
        return list(self._accounts.values())

    def find(self, name: str) -> Account | None:
        """The account of a name in any case."""
        return self._accounts.get(name.lower())

    def token(self, text: str) -> Token | None:
        """What a token grants; None for an unknown one."""
        return self._tokens.get(text)

    def token_of(self, name: str) -> str:
        """The first token of an account; raises KeyError when it has none."""
        wanted = name.lower()
        for text, token in self._tokens.items():
            if token.account_id == wanted:
                return text
        raise KeyError(f"no token for the account {name!r}")

    def authenticate(self, token_text: str) -> tuple[Account, Token]:
        """The account of a token; raises ApiError 401."""
        token = self._tokens.get(token_text)
        if token is None:
            raise ApiError(401, NO_SUCH_TOKEN)
        return self._accounts[token.account_id], token
