"""Arenas that the bot takes part in, and teams that it joins for them."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, SecretStr, field_validator, model_validator

from bot.settings.base import Closed, Seconds, Text, _listed

_ARENA_ID = re.compile(r"[A-Za-z0-9]{8}")
_TEAM_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
MESSAGE_LENGTHS = range(30, 2001)  # of the request to a team that admits by hand


def _id_of(address: object, kind: str) -> object:
    """Return the id, also where the address of its page is given."""
    found = re.fullmatch(rf"https?://[^/]+/{kind}/([^/?#]+).*", address) if isinstance(address, str) else None
    return found[1] if found else address


class ArenaEntry(Closed):
    """One arena: its id or the address of its page; `team` where it is a battle of teams."""

    id: Annotated[Text, BeforeValidator(lambda value: _id_of(value, "tournament"))]
    team: Text | None = None
    password: SecretStr | None = None

    @field_validator("id")
    @classmethod
    def _is_id(cls, value: str) -> str:
        if not _ARENA_ID.fullmatch(value):
            raise ValueError(
                f"{value!r} is not the id of an arena: eight letters and digits, as in the address of its page"
            )
        return value


class TeamEntry(Closed):
    """One team: its id or the address of its page; `message` where its leaders admit members by hand."""

    id: Annotated[Text, BeforeValidator(lambda value: _id_of(value, "team"))]
    password: SecretStr | None = None
    message: Text | None = None

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
    """Arenas are joined `join_before_s` before they start, left when the bot ends and rejoined when it is back."""

    arenas: Annotated[tuple[ArenaEntry, ...], BeforeValidator(_listed)] = ()
    teams: Annotated[tuple[TeamEntry, ...], BeforeValidator(_listed)] = ()
    join_before_s: Seconds = 600.0
    ask_again_s: Annotated[Seconds, Field(gt=0, le=60)] = 30.0

    @model_validator(mode="after")
    def _each_once(self) -> TournamentSettings:
        for name, ids in (("arena", [one.id for one in self.arenas]), ("team", [one.id for one in self.teams])):
            twice = next((one for one in ids if ids.count(one) > 1), None)
            if twice is not None:
                raise ValueError(f"the {name} {twice!r} is named twice")
        return self
