"""Settings of the fake server: closed models, read from YAML or built in a test."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

M = TypeVar("M", bound=BaseModel)


class ConfigError(ValueError):
    """An invalid configuration; the text names the file, the key and what is expected."""


class ClosedModel(BaseModel):
    """A model that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AccountConfig(ClosedModel):
    """An account. The default token is `lip_` and the name in lower case; with an `opponent` the server plays it."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{1,29}$")
    title: str | None = None
    token: str | None = Field(default=None, repr=False)
    scopes: tuple[str, ...] | None = None
    rating: int = 1500
    takebacks: bool | Literal["casual"] = Field(default=True, description="whether the account allows takebacks")
    opponent: str | None = None
    variants: tuple[str, ...] = Field(
        default=(), description="variants that the account plays, for the lobby; default: not known"
    )
    levels: bool = Field(default=False, description="whether the account understands !level in the chat")
    games: int | dict[str, int] = Field(
        default=0,
        description="games already played, at each speed or by category; an account with games cannot become a bot",
    )
    deviation: float | None = Field(
        default=None, ge=45, le=500, description="rating deviation; default 45 with games, else 500 (provisional)"
    )
    bio: str | None = Field(
        default=None,
        description="text of the profile; bots have one by default; a bot without it is not listed as online",
    )
    roles: tuple[str, ...] = Field(default=(), description="bots with roles come first in the list of online bots")
    played_people_s: int = Field(
        default=0, ge=0, description="time played against people, by which that list is sorted"
    )
    bot_day_left_s: float | None = Field(
        default=None,
        gt=0,
        description="the bot has reached its daily limit of games against bots, for this many seconds",
    )


def read_model(path: Path | str, model: type[M], what: str = "") -> M:
    """Read a YAML file into a model; raises ConfigError naming what it is, the file and every wrong key."""
    named = f"{what} {path}".strip()
    try:
        return model.model_validate(yaml.safe_load(Path(path).read_text(encoding="utf-8")) or {})
    except ValidationError as error:
        raise ConfigError(f"{named}: {_problems(error, model)}") from error
    except OSError as error:
        raise ConfigError(f"{named}: {error.strerror}") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{named}: not YAML: {error}") from error


def read_named(name: Path | str, folder: Path, model: type[M], what: str) -> M:
    """Read the packaged file of that name in a folder, or else a YAML file; raises ConfigError."""
    packaged = sorted(path.stem for path in folder.glob("*.yml"))
    if str(name) in packaged:
        return read_model(folder / f"{name}.yml", model, what)
    if not Path(name).is_file():
        raise ConfigError(f"{what} {str(name)!r}: use {', '.join(packaged)} or a YAML file")
    return read_model(name, model, what)


def _problems(error: ValidationError, model: type[BaseModel]) -> str:
    """Return the problems of a file, with a suggestion for each unknown key."""
    schema = model.model_json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    known = sorted({name for part in parts for name in part.get("properties", {})})
    found = []
    for fault in error.errors():
        where, text = ".".join(map(str, fault["loc"])) or "the file", fault["msg"]
        if fault["type"] == "extra_forbidden":
            near = difflib.get_close_matches(str(fault["loc"][-1]), known, 1)
            text = "unknown key" + (f"; did you mean {near[0]}?" if near else "")
        elif fault["type"] == "missing":
            text = "is missing"
        found.append(f"{where}: {text}")
    return "; ".join(found)


def default_accounts() -> tuple[AccountConfig, ...]:
    """Return a bot, two persons, a second bot, and the users that the server plays."""
    return (
        AccountConfig(name="bot88", title="BOT", rating=2000),
        AccountConfig(name="Alice", rating=1700),
        AccountConfig(name="Bobby", rating=1500),
        AccountConfig(name="OtherBot", title="BOT", rating=1900, games=50),
        AccountConfig(name="Fresh"),
        AccountConfig(name="Anonymous"),
        AccountConfig(name="Random", rating=800, opponent="random"),
        AccountConfig(name="Greedy", rating=1100, opponent="greedy"),
    )


class TeamConfig(ClosedModel):
    """A team. The default `id` is the name in lower case with hyphens. Anyone may join unless `open` is false."""

    name: str = Field(min_length=3, max_length=60)
    leader: str
    id: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9-]*$")
    members: tuple[str, ...] = ()
    open: bool = True
    password: str | None = Field(default=None, repr=False)

    @property
    def team_id(self) -> str:
        """The given id, or one made from the name."""
        return self.id or re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


class StubConfig(ClosedModel):
    """Configured answers of the opening explorer, the cloud evaluation and the tablebase.

    Each maps the first four fields of a FEN to the JSON to answer.
    """

    masters: dict[str, dict[str, Any]] = {}
    lichess: dict[str, dict[str, Any]] = {}
    cloud: dict[str, dict[str, Any]] = {}
    tablebase: dict[str, dict[str, Any]] = {}


class FakeConfig(ClosedModel):
    """All settings. Times are in seconds unless the name says otherwise."""

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65535)
    public_url: str | None = Field(default=None, description="address in challenge links; default: the bound one")
    tls: str = Field(
        default="", description="speak HTTPS, and write the certificate of a throw-away authority to this file"
    )
    tls_names: tuple[str, ...] = Field(default=(), description="further host names and addresses of the certificate")
    accounts: tuple[AccountConfig, ...] = Field(default_factory=default_accounts)
    teams: tuple[TeamConfig, ...] | None = Field(
        default=None, description="None: one open team, Fake Club, led by the first person"
    )
    event_keepalive_s: float = Field(default=6.0, gt=0)
    game_keepalive_s: float = Field(default=7.0, gt=0)
    allow_any_clock: bool = Field(default=False, description="accept clocks that Lichess refuses, for fast tests")
    rate_limits: bool = True
    requests_per_minute: int = Field(
        default=0, ge=0, description="limit of the network in front of the server; 0: none"
    )
    bot_games_per_day: int = Field(default=100, ge=1)
    ai_games_per_day: int = Field(default=20, ge=1)
    max_ongoing_games: int = Field(default=200, ge=1)
    challenge_life_s: float = Field(default=20.0, gt=0)
    gone_after_s: float = Field(default=6.0, ge=0, description="from the end of the last stream to opponentGone")
    claim_after_s: float | None = Field(
        default=None, ge=0, description="from leaving to a claim, for fast tests; None: as on Lichess, 41 to 121 s"
    )
    spectator_delay_s: float | None = Field(
        default=None, ge=0, description="delay of spectators' streams, for fast tests; None: as on Lichess, 3 to 60 s"
    )
    arena_pairing_s: float = Field(default=1.0, gt=0, description="how often an arena pairs its free players")
    explorer_book: str = Field(default="", description="Polyglot book for the opening explorer")
    syzygy: tuple[str, ...] = Field(default=(), description="folders of Syzygy tables for the tablebase")
    seek_taken_after_s: float | None = Field(
        default=3.0, ge=0, description="after this time an account that the server plays takes a seek; None: never"
    )
    auto_threefold: bool | None = Field(
        default=None, description="the server claims a threefold repetition; None: in games of bots"
    )
    opponent_delay_s: float = Field(default=0.0, ge=0, description="how long random and greedy opponents think")
    ai_move_delay_s: float = Field(default=0.5, ge=0, description="delay of a bot's move against the computer")
    ai_engine: str = Field(default="", description="UCI command that plays the computer's levels; empty: built-in")
    analysis_engine: str | None = Field(
        default=None,
        description="UCI command that evaluates positions in the page; None: engine88 if installed; empty: none",
    )
    restart_bonus_ms: tuple[int, int] = Field(
        default=(20_000, 10_000), description="for the side to move, for the other"
    )
    keep_finished: int = Field(default=1000, ge=1, description="finished games to remember")
    keep_requests: int = Field(default=10_000, ge=0, description="requests to remember")
    seed: int | None = None
    faults: str = "calm"
    stubs: StubConfig = StubConfig()


def load_config(path: Path | str) -> FakeConfig:
    """Read a YAML file; raises ConfigError naming the file and every wrong key."""
    return read_model(path, FakeConfig)
