"""Teams: leaders, members, requests to join, messages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..config import ConfigError, TeamConfig
from ..errors import NOT_FOUND, ApiError
from ..world.accounts import Account
from ..world.world import World

NEEDS_CONFIRMATION = "This team requires confirmation."
NEEDS_PASSWORD = "This team requires a password."
BLOCKED = "You cannot join this team."
ONLY_LEADER = "Please add a new leader before leaving, or close the team."
NOT_LEADER = "Insufficient team permissions"
NO_REQUEST = "No such team join request"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass
class TeamRequest:
    """A request to join."""

    account: Account
    message: str
    at_ms: int = field(default_factory=_now_ms)
    declined: bool = False


@dataclass
class TeamUpdate:
    """A leader's message to all members; `readers` has the ids of members who have read it."""

    id: str
    sender: Account
    text: str
    at_ms: int
    readers: set[str]


@dataclass
class Team:
    """A team. `members` maps ids to the time of joining in epoch milliseconds. Anyone may join an open team."""

    id: str
    name: str
    leader: Account
    open: bool = True
    password: str | None = None
    members: dict[str, int] = field(default_factory=dict)
    requests: dict[str, TeamRequest] = field(default_factory=dict)
    blocked: set[str] = field(default_factory=set)
    updates: list[TeamUpdate] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.add(self.leader)

    def add(self, account: Account) -> None:
        """Add a member; idempotent."""
        self.members.setdefault(account.id, _now_ms())
        self.requests.pop(account.id, None)

    def has(self, account: Account | None) -> bool:
        """Return whether an account belongs to the team."""
        return account is not None and account.id in self.members

    def asked_by(self, account: Account | None) -> bool:
        """Return whether an account has asked to join, even if it was declined."""
        return account is not None and account.id in self.requests

    def join(self, account: Account, message: str | None, password: str | None) -> None:
        """Join an open team, or ask to join a closed one; raises ApiError 400 with what is missing."""
        if self.has(account):
            return
        if account.id in self.blocked:
            raise ApiError(400, BLOCKED)
        if self.open:
            if self.password is not None and password != self.password:
                raise ApiError(400, NEEDS_PASSWORD)
            self.add(account)
        elif message is None:
            raise ApiError(400, NEEDS_CONFIRMATION)
        else:
            self.requests.setdefault(account.id, TeamRequest(account, message))

    def quit(self, account: Account) -> None:
        """Leave, or withdraw the request; raises ApiError 400 for the leader."""
        if account is self.leader:
            raise ApiError(400, ONLY_LEADER)
        self.requests.pop(account.id, None)
        self.members.pop(account.id, None)

    def answer(self, account_id: str, *, accept: bool) -> None:
        """Answer a request, even a declined one; raises ApiError 400 if there is none."""
        request = self.requests.get(account_id.lower())
        if request is None:
            raise ApiError(400, NO_REQUEST)
        if accept:
            self.add(request.account)
        else:
            request.declined = True

    def kick(self, account_id: str) -> None:
        """Exclude a member permanently. Ignores the leader and accounts that are not members."""
        if account_id != self.leader.id and self.members.pop(account_id, None) is not None:
            self.blocked.add(account_id)


class Teams:
    """All teams of a server."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.teams: dict[str, Team] = {}

    def add(self, config: TeamConfig) -> Team:
        """Make a team; raises ConfigError for unknown people and for a missing or duplicate id."""
        if not config.team_id:
            raise ConfigError(f"teams: the name {config.name!r} makes no id; set `id` with a-z, 0-9 and -")
        if config.team_id in self.teams:
            raise ConfigError(f"teams: two teams have the id {config.team_id!r}; set another `id` for one")
        team = Team(config.team_id, config.name, self._person(config, config.leader), config.open, config.password)
        for name in config.members:
            team.add(self._person(config, name))
        self.teams[team.id] = team
        return team

    def _person(self, config: TeamConfig, name: str) -> Account:
        found = self._world.registry.find(name)
        if found is None:
            raise ConfigError(f"teams: {config.name!r} names {name!r}, who has no account; add it under `accounts`")
        return found

    def find(self, team_id: str) -> Team:
        """Return a team by its id; raises ApiError 404."""
        if team_id not in self.teams:
            raise ApiError(404, NOT_FOUND)
        return self.teams[team_id]

    def led_by(self, account: Account, team_id: str) -> Team:
        """Return a team that the account leads; raises ApiError 404, or 400 for another's."""
        team = self.find(team_id)
        if team.leader is not account:
            raise ApiError(400, NOT_LEADER)
        return team

    def by_size(self, text: str = "") -> Sequence[Team]:
        """Return the teams whose name or id has the text, the largest first."""
        found = [team for team in self.teams.values() if text.lower() in f"{team.id} {team.name}".lower()]
        return sorted(found, key=lambda team: -len(team.members))

    def of(self, account: Account) -> Sequence[Team]:
        """Return the teams that an account belongs to."""
        return [team for team in self.teams.values() if team.has(account)]


def make_teams(world: World) -> Teams:
    """Return the teams of the configuration, or one that the first person leads; raises ConfigError."""
    teams, configured = Teams(world), world.config.teams
    if configured is None:
        people = [one for one in world.registry.all() if one.title is None and not one.played_by_server]
        configured = tuple(TeamConfig(name="Fake Club", leader=one.name) for one in people[:1])
    for config in configured:
        teams.add(config)
    return teams
