"""The whole configuration."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from bot.settings.challenges import ChallengeSettings
from bot.settings.conduct import OPPONENT, ConductSettings
from bot.settings.engines import ClockSettings, CorrespondenceSettings, EngineEntry, EngineRule
from bot.settings.matchmaking import MatchmakingSettings, TournamentSettings
from bot.settings.program import (
    ControlSettings,
    DashboardSettings,
    LichessSettings,
    LogSettings,
    NotifySettings,
    PgnSettings,
    RetentionSettings,
    ShutdownSettings,
)
from bot.settings.sources import SourceSettings
from bot.settings.types import Closed, FilePath, Positive, listed


class Settings(Closed):
    """Everything that can be configured."""

    concurrency: Annotated[Positive, Field(le=200)] = 2
    """Games at once, 1 to 200."""
    store: FilePath | None = Field(default=None, examples=["../data/bot88.sqlite3"])
    """SQLite file for rate limits, finished games and matchmaking; without it nothing survives a restart."""
    pgn_folder: FilePath | None = Field(default=None, examples=["../data/pgn"])
    """Folder for finished games in PGN."""
    lichess: LichessSettings = LichessSettings()
    engines: Annotated[tuple[EngineEntry, ...], BeforeValidator(listed), Field(min_length=1)] = (EngineEntry(),)
    """Ways to get engine processes, at least one."""
    rules: Annotated[tuple[EngineRule, ...], BeforeValidator(listed)] = ()
    """Which game gets which engine."""
    challenges: ChallengeSettings = ChallengeSettings()
    conduct: ConductSettings = ConductSettings()
    clock: ClockSettings = ClockSettings()
    correspondence: CorrespondenceSettings = CorrespondenceSettings()
    matchmaking: MatchmakingSettings = MatchmakingSettings()
    tournaments: TournamentSettings = TournamentSettings()
    move_sources: SourceSettings = SourceSettings()
    shutdown: ShutdownSettings = ShutdownSettings()
    log: LogSettings = LogSettings()
    pgn: PgnSettings = PgnSettings()
    retention: RetentionSettings = RetentionSettings()
    dashboard: DashboardSettings = DashboardSettings()
    notify: NotifySettings = NotifySettings()
    control: ControlSettings = ControlSettings()

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
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
        """The token in the clear, "" if there is none; for the gateway only."""
        return self.lichess.token.get_secret_value() if self.lichess.token else ""
