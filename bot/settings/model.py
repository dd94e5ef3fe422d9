"""The whole configuration, and how it is read from a YAML file and the environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, model_validator

from bot.errors import ConfigurationError, choices
from bot.settings.challenges import ChallengeSettings
from bot.settings.conditions import Facts
from bot.settings.conduct import OPPONENT, ConductSettings
from bot.settings.document import Place, read_document, read_file, with_environment
from bot.settings.engines import ClockSettings, CorrespondenceSettings, EngineEntry, EngineRule
from bot.settings.explain import explain, located
from bot.settings.matchmaking import MatchmakingSettings, TournamentSettings
from bot.settings.program import (
    SHORTEST_PASSWORD,
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
                    raise error_at(
                        ("rules", index, "engines", place), f"there is no engine {name!r}{choices(name, names)}"
                    )
            if isinstance(rule.level, str) and rule.level not in levels:
                raise error_at(
                    ("rules", index, "level"), f"there is no level {rule.level!r}{choices(rule.level, levels)}"
                )
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


#: The environment variable that carries the token; it wins over the file.
TOKEN_VARIABLE = "BOT88_TOKEN"


#: Finds problems that the models cannot see, such as missing files: the path of each value and what is wrong.
Check = Callable[[Settings], Iterable[tuple[Place, str]]]


def load_settings(
    path: Path, environ: Mapping[str, str], *, with_secrets: bool = True, check: Check = lambda _settings: ()
) -> Settings:
    """Read the configuration file. Raises ConfigurationError with file, line, key and remedy.

    With `with_secrets` False, files that hold a secret are not opened: only the bot's user may be able to read them.
    """
    text, folder = read_file(path), path.resolve().parent
    return parse_settings(text, str(path), folder=folder, environ=environ, with_secrets=with_secrets, check=check)


def parse_settings(
    text: str,
    name: str,
    *,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
    with_secrets: bool = True,
    check: Check = lambda _settings: (),
) -> Settings:
    """Read configuration text; `name` stands for the file in messages, relative paths start from `folder`.

    Variables of `environ` override the text's keys (see document.py). `with_secrets` and `check` as for
    load_settings.
    """
    document = with_environment(read_document(text, name), environ or {})
    try:
        settings = Settings.model_validate(_without_empty(document.data), context={"folder": folder})
    except ValidationError as error:
        raise ConfigurationError(explain(error, document, name, Settings)) from None
    if problems := located(check(settings), document, name):
        raise ConfigurationError(problems)
    if not with_secrets:
        return settings
    return _with_dashboard_password(_with_token(settings, name, environ or {}), name)


def _without_empty(value: Any) -> Any:
    """Remove keys without a value, such as sections whose lines are all commented out: they mean the default."""
    if isinstance(value, dict):
        return {key: _without_empty(below) for key, below in value.items() if below is not None}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value


def _with_token(settings: Settings, name: str, environ: Mapping[str, str]) -> Settings:
    token = environ.get(TOKEN_VARIABLE, "").strip()
    source = TOKEN_VARIABLE
    file = settings.lichess.token_file
    if not token and file:
        token, source = _read_secret(file, f"{name}: lichess.token_file", "token"), str(file)
    if not token and settings.lichess.token:
        token, source = settings.lichess.token.get_secret_value().strip(), f"{name}: lichess.token"
    if not token:
        return settings
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(f"{source}: the token contains blanks or special characters; copy it again")
    update: dict[str, Any] = {"token": SecretStr(token)}
    return settings.model_copy(update={"lichess": settings.lichess.model_copy(update=update)})


def _with_dashboard_password(settings: Settings, name: str) -> Settings:
    dashboard = settings.dashboard
    if dashboard.password is not None or dashboard.password_file is None:
        return settings
    password = _read_secret(dashboard.password_file, f"{name}: dashboard.password_file", "password")
    if len(password) < SHORTEST_PASSWORD:
        words = f"the password is too short; use {SHORTEST_PASSWORD} characters or more"
        raise ConfigurationError(f"{name}: dashboard.password_file: {dashboard.password_file}: {words}")
    return settings.model_copy(update={"dashboard": dashboard.model_copy(update={"password": SecretStr(password)})})


def _read_secret(path: Path, key: str, what: str) -> str:
    """Return the content of a file, stripped. Raises ConfigurationError."""
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{key}: {path} cannot be read: {error}") from error
    if not secret:
        raise ConfigurationError(f"{key}: {path} is empty; put the {what} into it")
    return secret
