"""Games that the bot seeks itself: challenges to other bots, and arenas."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from bot.settings.types import (
    Closed,
    Count,
    Flag,
    Mode,
    Positive,
    Seconds,
    Secret,
    Text,
    Users,
    Variant,
    in_order,
    listed,
    speed_of,
)

_ARENA_ID = re.compile(r"[A-Za-z0-9]{8}")
_TEAM_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
MESSAGE_LENGTHS = range(30, 2001)  # of the request to a team that admits members by hand


class MatchProfile(Closed):
    """A kind of game to ask for. A profile that finds no bot is skipped."""

    weight: Positive = 1
    """How often it is drawn, relative to the others."""
    variant: Variant = "standard"
    """Lichess's name of the variant."""
    limit_s: Count = 180
    """Initial time."""
    increment_s: Count = 2
    """Increment."""
    days: Positive | None = Field(default=None, examples=[2])
    """Days per move, instead of a clock."""
    mode: Mode = "casual"
    """`casual` or `rated`."""
    color: Literal["white", "black", "random"] = "random"
    """`white`, `black` or `random`."""
    min_rating: Count | None = Field(default=None, examples=[1800])
    """Lowest rating of the other bot in this kind of game."""
    max_rating: Count | None = Field(default=None, examples=[2600])
    """Highest rating of the other bot."""
    min_rating_difference: Count | None = Field(default=None, examples=[0])
    """Least distance to our own rating."""
    max_rating_difference: Count | None = Field(default=None, examples=[300])
    """Greatest distance to our own rating."""
    prefer: Literal["any", "high", "low", "near"] = "any"
    """Among the bots that fit: `any`, `high` or `low` (more likely those rated higher or lower), `near` (nearest)."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        in_order(self)
        if self.days is None and self.limit_s == 0 and self.increment_s == 0:
            raise ValueError("a profile needs a clock (limit_s, increment_s) or days")
        return self

    @property
    def speed(self) -> str:
        """Lichess's name for the speed of such a game."""
        if self.days is not None:
            return "correspondence"
        return speed_of(self.limit_s, self.increment_s)

    @property
    def perf(self) -> str:
        """The key of the rating that counts: the variant's, or for standard chess the speed's."""
        return self.speed if self.variant in ("standard", "fromPosition") else self.variant


class MatchmakingSettings(Closed):
    """Challenges to other bots while the bot is idle.

    A bot that declines is not asked for that kind of game for an hour, then two, at most a month (kept in `store`).
    """

    enabled: Flag = False
    """Send challenges."""
    profiles: Annotated[tuple[MatchProfile, ...], BeforeValidator(listed)] = ()
    """What to ask for; required if enabled."""
    selection: Literal["weighted", "cyclic", "sequential"] = "weighted"
    """Profiles by `weighted` draw, `cyclic` (in turn) or `sequential` (the first that finds a bot)."""
    idle_s: Seconds = 60.0
    """Time without a game before a challenge is sent."""
    during_games: Flag = False
    """Send challenges during games too, while slots are free."""
    concurrent: Positive = 1
    """Challenges and games from them at once, never more than free slots without those reserved for people."""
    games_per_day: Annotated[Count, Field(le=100)] = 50
    """Send no challenge after this many games with bots in 24 hours, accepted ones included. Lichess allows 100."""
    cancel_after_s: Annotated[Seconds, Field(ge=5)] = 20.0
    """Cancel a challenge that is not answered; at least 5."""
    block: Users = ()
    """Bots that are never challenged: names, files, addresses."""

    @model_validator(mode="after")
    def _has_profiles(self) -> Self:
        if self.enabled and not self.profiles:
            raise ValueError(
                "matchmaking needs at least one entry under profiles, such as {limit_s: 180, increment_s: 2}"
            )
        return self


def _id_of(address: object, kind: str) -> object:
    """Return the id, also from the address of its page."""
    found = re.fullmatch(rf"https?://[^/]+/{kind}/([^/?#]+).*", address) if isinstance(address, str) else None
    return found[1] if found else address


class ArenaEntry(Closed):
    """An arena to play in."""

    id: Annotated[Text, BeforeValidator(lambda value: _id_of(value, "tournament"))] = Field(examples=["AbCd1234"])
    """Eight letters and digits, or the address of its page. Required."""
    team: Text | None = Field(default=None, examples=["my-team"])
    """The team to play for in a team battle."""
    password: Secret | None = Field(default=None, examples=[""])
    """The password, if it has one."""

    @field_validator("id")
    @classmethod
    def _is_id(cls, value: str) -> str:
        if not _ARENA_ID.fullmatch(value):
            raise ValueError(
                f"{value!r} is not the id of an arena: eight letters and digits, as in the address of its page"
            )
        return value


class TeamEntry(Closed):
    """A team to join at the start, unless the bot is a member already, or has asked."""

    id: Annotated[Text, BeforeValidator(lambda value: _id_of(value, "team"))] = Field(examples=["my-team"])
    """The id, or the address of its page. Required."""
    password: Secret | None = Field(default=None, examples=[""])
    """The password, if it has one."""
    message: Text | None = Field(default=None, examples=["I am a bot and would like to play in your arenas."])
    """To leaders who admit members by hand; 30 to 2000 characters."""

    @field_validator("id")
    @classmethod
    def _is_id(cls, value: str) -> str:
        if not _TEAM_ID.fullmatch(value):
            raise ValueError(
                f"{value!r} is not the id of a team: small letters, digits and -, as in the address of its page"
            )
        return value

    @field_validator("message")
    @classmethod
    def _long_enough(cls, value: str | None) -> str | None:
        if value is not None and len(value) not in MESSAGE_LENGTHS:
            raise ValueError(f"must have {MESSAGE_LENGTHS.start} to {MESSAGE_LENGTHS.stop - 1} characters")
        return value


class TournamentSettings(Closed):
    """Arenas that admit bots. The token needs the scope `tournament:write`, and `team:write` for teams."""

    arenas: Annotated[tuple[ArenaEntry, ...], BeforeValidator(listed)] = ()
    """Arenas to play in."""
    teams: Annotated[tuple[TeamEntry, ...], BeforeValidator(listed)] = ()
    """Teams to join at the start of the bot."""
    ask_again_s: Annotated[Seconds, Field(gt=0, le=60)] = 30.0
    """How often to ask for a game without one; at most 60, since Lichess forgets after a minute."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for name, ids in (("arena", [one.id for one in self.arenas]), ("team", [one.id for one in self.teams])):
            twice = next((one for one in ids if ids.count(one) > 1), None)
            if twice is not None:
                raise ValueError(f"the {name} {twice!r} is named twice")
        return self
