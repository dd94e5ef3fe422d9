"""Answers of single requests, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AliasPath, PlainValidator

from bot.events.reading import (
    Flag,
    Integer,
    OptionalInteger,
    Text,
    as_flag,
    as_integer,
    as_text,
    mapping,
    named,
    reader,
    text,
)


def _ratings(perfs: object) -> dict[str, int]:
    """Return the ratings by perf, with the server's rating for perfs that were never played."""
    ratings = {perf: as_integer(mapping(entry).get("rating")) for perf, entry in mapping(perfs).items()}
    return {perf: rating for perf, rating in ratings.items() if rating is not None}


def _established_ratings(perfs: object) -> dict[str, int]:
    """Return the ratings that stand on games and are not provisional."""
    found = {perf: mapping(entry) for perf, entry in mapping(perfs).items()}
    established = {
        perf: entry
        for perf, entry in found.items()
        if (as_integer(entry.get("games")) or 0) > 0 and not as_flag(entry.get("prov"))
    }
    return {perf: rating for perf, rating in _ratings(established).items() if rating > 0}


def _is_said(text: object) -> bool:
    return bool((as_text(text) or "").strip())


def _seconds(milliseconds: object) -> float | None:
    whole = as_integer(milliseconds)
    return None if whole is None else whole / 1000


Ratings = Annotated[Mapping[str, int], PlainValidator(_ratings), named("perfs")]
EstablishedRatings = Annotated[Mapping[str, int], PlainValidator(_established_ratings), named("perfs")]
#: A user's id, or the name that it comes from.
UserId = Annotated[str, PlainValidator(lambda value: (as_text(value) or "").lower()), named("id", "username")]


@dataclass(frozen=True, slots=True)
class Account:
    """The account the token belongs to. `ratings` by speed or variant, without provisional ones.

    `current_ratings` contains provisional ratings too, and the one that the server assumes for a perf never played.
    `people_s`: time played against people.
    """

    id: UserId = ""
    username: Text = ""
    title: Text = ""
    games: Annotated[Integer, named(AliasPath("count", "all"))] = 0
    disabled: Annotated[Flag, named("tosViolation", "disabled")] = False
    has_bio: Annotated[bool, PlainValidator(_is_said), named(AliasPath("profile", "bio"))] = False
    people_s: Annotated[Integer, named(AliasPath("playTime", "human"))] = 0
    ratings: EstablishedRatings = field(default_factory=dict)
    current_ratings: Ratings = field(default_factory=dict)

    @property
    def is_bot(self) -> bool:
        """Whether the account has been upgraded."""
        return self.title == "BOT"


@dataclass(frozen=True, slots=True)
class UserStatus:
    """A user as the list of users shows them."""

    id: Text = ""
    name: Text = ""
    title: Text = ""
    online: Flag = False


@dataclass(frozen=True, slots=True)
class UserProfile:
    """Public facts about a user, None if the server does not give them; `created_s` in epoch seconds."""

    created_s: Annotated[float | None, PlainValidator(_seconds), named("createdAt")] = None
    games: Annotated[OptionalInteger, named(AliasPath("count", "all"))] = None


@dataclass(frozen=True, slots=True)
class OnlineBot:
    """A bot that is online; `ratings` by the key of the perf, such as "blitz" or "atomic"."""

    id: UserId = ""
    name: Annotated[Text, named("username")] = ""
    ratings: Ratings = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arena:
    """An arena; `starts_in_s` None once it has started, `finishes_in_s` None before and after that."""

    id: Text = ""
    name: Annotated[Text, named("fullName", "id")] = ""
    finished: Annotated[Flag, named("isFinished")] = False
    starts_in_s: Annotated[OptionalInteger, named("secondsToStart")] = None
    finishes_in_s: Annotated[OptionalInteger, named("secondsToFinish")] = None

    @property
    def started(self) -> bool:
        """Whether it is running."""
        return not self.finished and self.starts_in_s is None


@dataclass(frozen=True, slots=True)
class Team:
    """A team; `joined`: we belong to it, `requested`: we have asked to."""

    id: Text = ""
    name: Annotated[Text, named("name", "id")] = ""
    joined: Flag = False
    requested: Flag = False


@dataclass(frozen=True, slots=True)
class ChallengeTerms:
    """Whom to challenge to what: with a clock, else with days per turn, or (neither given) without a time limit."""

    username: str
    limit_s: int | None = 180
    increment_s: int = 2
    days: int | None = None
    rated: bool = False
    variant: str = "standard"
    color: str = "random"

    def __str__(self) -> str:
        pace = (
            f"{self.days} days a move" if self.days is not None else f"{(self.limit_s or 0) / 60:g}+{self.increment_s}"
        )
        color = "" if self.color == "random" else f", we have {self.color}"
        return f"{pace} {'rated' if self.rated else 'casual'} {self.variant}{color}"


parse_account = reader(Account)
parse_user_status = reader(UserStatus)
parse_user_profile = reader(UserProfile)  # nearly empty for a closed account
parse_online_bot = reader(OnlineBot)
parse_arena = reader(Arena)
parse_team = reader(Team)


def parse_scopes(value: object) -> frozenset[str] | None:
    """Return the scopes of an entry of `/api/token/test`, None for an invalid token."""
    data = mapping(value)
    return frozenset(text(data, "scopes").replace(",", " ").split()) if data else None


def entries(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []
