"""Accounts with their tokens, ratings and records."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass, field, replace

from ..errors import NO_SUCH_TOKEN, ApiError
from .glicko import MAX_DEVIATION, Glicko, bounded, rate

BOT_SCOPES = ("bot:play", "challenge:read", "challenge:write", "tournament:write", "team:read", "team:write")
PERSON_SCOPES = ("board:play", *BOT_SCOPES, "team:lead", "email:read", "preference:read", "preference:write")
COUNTED = ("rated", "ai", "win", "winH", "loss", "lossH", "draw", "drawH")  # H: not against the computer
STANDARD_PERFS = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
ANONYMOUS = "anonymous"


@dataclass
class PerfRecord:
    """Rating and number of games in one category; `history` has (day, rating) of every rated game, oldest first."""

    glicko: Glicko
    games: int = 0
    progress: int = 0
    history: list[tuple[datetime.date, int]] = field(default_factory=list)

    @property
    def rating(self) -> int:
        """The rating as it is shown."""
        return round(self.glicko.rating)

    @property
    def provisional(self) -> bool:
        """Whether the rating is shown with a question mark."""
        return self.glicko.provisional


@dataclass
class Account:
    """A user.

    `rating` and `deviation` are those of every category before its first game; `played_by_server`: the server plays it
    itself; `takebacks`: True, False or "casual"; `about`, `variants` and `levels` describe it in the lobby.
    """

    name: str
    title: str | None = None
    rating: int = 1500
    deviation: float = MAX_DEVIATION
    takebacks: bool | str = True
    played_by_server: bool = False
    created_at_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    perfs: dict[str, PerfRecord] = field(default_factory=dict)
    record: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    bio: str = ""
    about: str = ""
    variants: tuple[str, ...] = ()
    levels: bool = False
    roles: tuple[str, ...] = ()
    played_people_s: int = 0
    played_s: int = 0
    streams: int = 0
    seen_at_ms: int = 0

    @property
    def id(self) -> str:
        """The lower-case name."""
        return self.name.lower()

    @property
    def anonymous(self) -> bool:
        """A player without an account, who has no name and no id in JSON."""
        return self.id == ANONYMOUS

    @property
    def is_bot(self) -> bool:
        """Whether this is a BOT account."""
        return self.title == "BOT"

    @property
    def listed_first(self) -> tuple[str, int]:
        """The key that sorts lists of bots, descending (lila `UserRepo.botsByIdsCursor`)."""
        return (max(self.roles, default=""), self.played_people_s)

    @property
    def online(self) -> bool:
        """Whether an event stream is open, or the server plays the account."""
        return self.played_by_server or self.streams > 0

    @property
    def games_played(self) -> int:
        """Finished games of all categories."""
        return self.record["win"] + self.record["loss"] + self.record["draw"]

    def perf(self, name: str) -> PerfRecord:
        """Return the record in a category, made on first use."""
        if name not in self.perfs:
            self.perfs[name] = PerfRecord(Glicko(self.rating, self.deviation))
        return self.perfs[name]

    def had_games(self, games: int | dict[str, int]) -> None:
        """Count past games, all won: a number for each speed but UltraBullet, or by category."""
        by_perf = dict.fromkeys(STANDARD_PERFS[1:], games) if isinstance(games, int) else games
        for name, number in by_perf.items():
            self.perf(name).games = number
        self.record["win"] += sum(by_perf.values())
        self.record["winH"] += sum(by_perf.values())

    def count_game(self, perf_name: str, points: float, glicko: Glicko | None, *, computer: bool) -> int | None:
        """Count a finished game: 1, 0.5 or 0 points, and the new rating of a rated one. Returns the rating's change."""
        result = "draw" if points == 0.5 else "win" if points else "loss"
        for counted in (result, "ai" if computer else f"{result}H"):
            self.record[counted] += 1
        if glicko is None:
            return None
        perf = self.perf(perf_name)
        perf.games += 1
        diff = round(glicko.rating) - perf.rating
        self.record["rated"] += 1
        perf.glicko = glicko
        perf.progress = max(-500, min(500, perf.progress + diff))
        perf.history.append((datetime.datetime.now(datetime.UTC).date(), perf.rating))
        return diff

    def count_time(self, seconds: int, *, against_person: bool) -> None:
        """Count the time of a finished game."""
        self.played_s += seconds
        self.played_people_s += seconds if against_person else 0


def rate_game(white: Account, black: Account, perf: str, score: float) -> tuple[Glicko, Glicko]:
    """Return the ratings of both sides after a game with White's `score` (1, 0.5 or 0).

    A person's change against a bot is halved, as on Lichess.
    """
    before = (white.perf(perf).glicko, black.perf(perf).glicko)
    after = (
        bounded(rate(before[0], [(before[1], score)], periods=0)),
        bounded(rate(before[1], [(before[0], 1 - score)], periods=0)),
    )
    if black.is_bot and not white.is_bot:
        return _halfway(before[0], after[0]), after[1]
    if white.is_bot and not black.is_bot:
        return after[0], _halfway(before[1], after[1])
    return after


def _halfway(before: Glicko, after: Glicko) -> Glicko:
    return replace(after, rating=(before.rating + after.rating) / 2)


@dataclass(frozen=True)
class Token:
    """A personal token: account and scopes. The text is not in the repr."""

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
        """Return every account, in order of creation."""
        return list(self._accounts.values())

    def find(self, name: str) -> Account | None:
        """Return the account of a name in any case."""
        return self._accounts.get(name.lower())

    def token(self, text: str) -> Token | None:
        """Return what a token grants; None for an unknown one."""
        return self._tokens.get(text)

    def token_of(self, name: str) -> str:
        """Return the first token of an account; raises KeyError when it has none."""
        wanted = name.lower()
        for text, token in self._tokens.items():
            if token.account_id == wanted:
                return text
        raise KeyError(f"no token for the account {name!r}")

    def authenticate(self, token_text: str) -> tuple[Account, Token]:
        """Return the account of a token; raises ApiError 401."""
        token = self._tokens.get(token_text)
        if token is None:
            raise ApiError(401, NO_SUCH_TOKEN)
        return self._accounts[token.account_id], token
