"""The whole configuration. Defaults live here and nowhere else."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr, field_validator, model_validator

from bot.settings.base import Closed, Count, FilePath, Positive, Seconds, Text, _listed
from bot.settings.challenges import ChallengeSettings
from bot.settings.conduct.levels import OPPONENT
from bot.settings.control import ControlSettings
from bot.settings.dashboard import DashboardSettings
from bot.settings.engines import EngineEntry, EngineRule
from bot.settings.matchmaking import MatchmakingSettings
from bot.settings.notify import NotifySettings
from bot.settings.play import ClockSettings, ConductSettings, CorrespondenceSettings
from bot.settings.retention import RetentionSettings
from bot.settings.sources import SourceSettings
from bot.settings.tournaments import TournamentSettings


class LichessSettings(Closed):
    """The server and how to log in. The token comes from BOT88_TOKEN, else `token_file`, else `token`."""

    url: Text = "https://lichess.org"
    token: SecretStr | None = None
    token_file: FilePath | None = None
    stream_silence_s: Annotated[Seconds, Field(gt=0)] = 20.0

    @field_validator("url")
    @classmethod
    def _web_address(cls, value: str) -> str:
        if not value.startswith(("http://", "https://")) or len(value.split("://", 1)[1].strip("/")) == 0:
            raise ValueError("must start with http:// or https:// and name a host")
        if "/" in value.split("://", 1)[1].rstrip("/"):
            raise ValueError("must name the server alone, without a path")
        if "@" in value.split("://", 1)[1].split("/")[0]:
            raise ValueError("must not carry a user name or password")
        return value.rstrip("/")


class ShutdownSettings(Closed):
    """What the first SIGTERM or SIGINT does with running games: `finish` plays on, `leave` stops at once.

    Games that are left go on at Lichess with their clocks running; the next start takes them up again.
    """

    games: Literal["finish", "leave"] = "finish"
    timeout_s: Seconds = 3600.0


Level = Literal["debug", "info", "warning", "error"]


class LogSettings(Closed):
    """`console` is for people, `json` for machines: one object a line. `file` gets the same lines.

    `levels`: other levels for modules and what lies below them, such as {bot.lichess: debug}.

    The file is rotated when it would grow beyond `max_bytes` or holds `max_days` calendar days (UTC); 0 means never.
    `keep` old files stay beside it, `bot.log.1` the youngest.
    """

    level: Level = "info"
    levels: dict[Text, Level] = Field(default_factory=dict)
    format: Literal["console", "json"] = "console"
    file: FilePath | None = None
    max_bytes: Count = 10_000_000
    max_days: Count = 0
    keep: Count = 5

    @field_validator("levels")
    @classmethod
    def _modules(cls, levels: dict[str, str]) -> dict[str, str]:
        for name in levels:
            if not _is_module(name):
                raise ValueError(f"there is no module {name!r}; name one as log lines do, such as bot.lichess")
        return levels


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class PgnSettings(Closed):
    """What shares a PGN file in `pgn_folder`: the games of a month (UTC), of an opponent, all games, or none."""

    group: Literal["game", "opponent", "month", "all"] = "month"


class UserListSettings(Closed):
    """Lists of users in files and at addresses: how often they are read again, and how large one may be."""

    refresh_s: Annotated[Seconds, Field(ge=10)] = 3600.0
    max_kilobytes: Positive = 1024


class Settings(Closed):
    """Everything that can be configured."""

    lichess: LichessSettings = LichessSettings()
    concurrency: Annotated[Positive, Field(le=200)] = 2
    engines: Annotated[tuple[EngineEntry, ...], BeforeValidator(_listed), Field(min_length=1)] = (EngineEntry(),)
    rules: Annotated[tuple[EngineRule, ...], BeforeValidator(_listed)] = ()
    challenges: ChallengeSettings = ChallengeSettings()
    user_lists: UserListSettings = UserListSettings()
    conduct: ConductSettings = ConductSettings()
    clock: ClockSettings = ClockSettings()
    correspondence: CorrespondenceSettings = CorrespondenceSettings()
    matchmaking: MatchmakingSettings = MatchmakingSettings()
    tournaments: TournamentSettings = TournamentSettings()
    move_sources: SourceSettings = SourceSettings()
    shutdown: ShutdownSettings = ShutdownSettings()
    log: LogSettings = LogSettings()
    dashboard: DashboardSettings = DashboardSettings()
    notify: NotifySettings = NotifySettings()
    control: ControlSettings = ControlSettings()
    store: FilePath | None = None
    pgn_folder: FilePath | None = None
    pgn: PgnSettings = PgnSettings()
    retention: RetentionSettings = RetentionSettings()

    @model_validator(mode="after")
    def _names_fit(self) -> Settings:
        names = [entry.name for entry in self.engines]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two engines are named {name!r}")
        for rule in self.rules:
            for name in rule.engines:
                if name not in names:
                    raise ValueError(f"a rule names the engine {name!r}, but there are only: {', '.join(names)}")
            levels = (OPPONENT, *self.conduct.levels.names)
            if isinstance(rule.level, str) and rule.level not in levels:
                raise ValueError(f"a rule names the level {rule.level!r}, but there are only: {', '.join(levels)}")
        if self.challenges.reserved_for_humans > self.concurrency:
            raise ValueError("challenges.reserved_for_humans is greater than concurrency")
        return self

    @property
    def token(self) -> str:
        """The token in the clear, "" when there is none; hand it to the gateway and nowhere else."""
        return self.lichess.token.get_secret_value() if self.lichess.token else ""
