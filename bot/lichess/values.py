"""Answers of single requests, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.events.reading import flag, integer, mapping, optional_integer, text


@dataclass(frozen=True, slots=True)
class Account:
    """The account the token belongs to. `ratings` by speed or variant, without provisional ones.

    `current_ratings` contains provisional ratings too, and the one that the server assumes for a perf never played.
    `people_s`: time played against people.
    """

    id: str
    username: str
    title: str = ""
    games: int = 0
    disabled: bool = False
    has_bio: bool = False
    people_s: int = 0
    ratings: Mapping[str, int] = field(default_factory=dict)
    current_ratings: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_bot(self) -> bool:
        """Whether the account has been upgraded."""
        return self.title == "BOT"


@dataclass(frozen=True, slots=True)
class UserStatus:
    """A user as the list of users shows them."""

    id: str
    name: str
    title: str = ""
    online: bool = False


@dataclass(frozen=True, slots=True)
class UserProfile:
    """Public facts about a user, None if the server does not give them; `created_s` in epoch seconds."""

    created_s: float | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class OnlineBot:
    """A bot that is online; `ratings` by the key of the perf, such as "blitz" or "atomic"."""

    id: str
    name: str
    ratings: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arena:
    """An arena; `starts_in_s` None once it has started, `finishes_in_s` None before and after that."""

    id: str
    name: str
    finished: bool = False
    starts_in_s: int | None = None
    finishes_in_s: int | None = None

    @property
    def started(self) -> bool:
        """Whether it is running."""
        return not self.finished and self.starts_in_s is None


@dataclass(frozen=True, slots=True)
class Team:
    """A team; `joined`: we belong to it, `requested`: we have asked to."""

    id: str
    name: str
    joined: bool = False
    requested: bool = False


def parse_arena(value: object) -> Arena:
    """Return the arena of `/api/tournament/{id}`."""
    data = mapping(value)
    return Arena(
        id=text(data, "id"),
        name=text(data, "fullName") or text(data, "id"),
        finished=flag(data, "isFinished"),
        starts_in_s=optional_integer(data, "secondsToStart"),
        finishes_in_s=optional_integer(data, "secondsToFinish"),
    )


def parse_team(value: object) -> Team:
    """Return the team of `/api/team/{id}`."""
    data = mapping(value)
    return Team(
        id=text(data, "id"),
        name=text(data, "name") or text(data, "id"),
        joined=flag(data, "joined"),
        requested=flag(data, "requested"),
    )


def parse_online_bot(value: object) -> OnlineBot:
    """Return the bot of a line of `/api/bot/online`, with the server's rating for perfs that it never played."""
    data = mapping(value)
    name = text(data, "username")
    return OnlineBot(
        id=text(data, "id") or name.lower(),
        name=name,
        ratings=_all_ratings(mapping(data.get("perfs"))),
    )


def parse_account(value: object) -> Account:
    """Return the account of `/api/account`."""
    data = mapping(value)
    name = text(data, "username")
    return Account(
        id=text(data, "id") or name.lower(),
        username=name,
        title=text(data, "title"),
        games=integer(mapping(data.get("count")), "all"),
        disabled=flag(data, "disabled") or flag(data, "tosViolation"),
        has_bio=bool(text(mapping(data.get("profile")), "bio").strip()),
        people_s=integer(mapping(data.get("playTime")), "human"),
        ratings=_ratings(mapping(data.get("perfs"))),
        current_ratings=_all_ratings(mapping(data.get("perfs"))),
    )


def _all_ratings(perfs: Mapping[str, Any]) -> dict[str, int]:
    ratings = {str(perf): optional_integer(mapping(entry), "rating") for perf, entry in perfs.items()}
    return {perf: rating for perf, rating in ratings.items() if rating is not None}


def _ratings(perfs: Mapping[str, Any]) -> dict[str, int]:
    found = {name: mapping(perf) for name, perf in perfs.items()}
    return {
        name: integer(perf, "rating")
        for name, perf in found.items()
        if integer(perf, "rating") > 0 and integer(perf, "games") > 0 and not flag(perf, "prov")
    }


def parse_scopes(value: object) -> frozenset[str] | None:
    """Return the scopes of an entry of `/api/token/test`, None for an invalid token."""
    data = mapping(value)
    words = text(data, "scopes").replace(" ", ",").split(",")
    return frozenset(word for word in words if word) if data else None


def parse_user_status(value: object) -> UserStatus:
    """Return a user of `/api/users/status`."""
    data = mapping(value)
    return UserStatus(
        id=text(data, "id"),
        name=text(data, "name"),
        title=text(data, "title"),
        online=flag(data, "online"),
    )


def parse_user_profile(value: object) -> UserProfile:
    """Return the profile of `/api/user/{username}`, which is nearly empty for a closed account."""
    data = mapping(value)
    created_ms = optional_integer(data, "createdAt")
    return UserProfile(
        None if created_ms is None else created_ms / 1000, optional_integer(mapping(data.get("count")), "all")
    )


def entries(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []
