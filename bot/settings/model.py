"""The whole configuration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from bot.errors import did_you_mean
from bot.settings.challenges import ChallengeSettings
from bot.settings.conditions import Facts
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
from bot.settings.types import Closed, FilePath, Positive, error_at, listed

NO_RULE = EngineRule()


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
        for index, name in enumerate(names):
            if name in names[:index]:
                raise error_at(("engines", index, "name"), f"two engines are named {name!r}")
        levels = (OPPONENT, *self.conduct.levels.names)
        for index, rule in enumerate(self.rules):
            for place, name in enumerate(rule.engines):
                if name not in names:
                    raise error_at(("rules", index, "engines", place), _unknown("engine", name, names))
            if isinstance(rule.level, str) and rule.level not in levels:
                raise error_at(("rules", index, "level"), _unknown("level", rule.level, levels))
        if self.challenges.reserved_for_humans > self.concurrency:
            raise error_at(("challenges", "reserved_for_humans"), "is greater than concurrency")
        return self

    def rule_for(self, facts: Facts) -> EngineRule:
        """Return the first rule for engines that fits a game; one without conditions where none does."""
        return next((rule for rule in self.rules if rule.fit(facts)), NO_RULE)

    @property
    def token(self) -> str:
        """The token in the clear, "" if there is none; for the gateway only."""
        return self.lichess.token.get_secret_value() if self.lichess.token else ""


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    hint = did_you_mean(name, known)
    return f"there is no {what} {name!r}{hint and f'; {hint}'} (possible: {', '.join(known)})"
