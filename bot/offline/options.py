"""What the command line asks for, and the configuration that goes with it."""

from __future__ import annotations

import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from bot.control.wire import state_folder
from bot.errors import ConfigurationError, choices
from bot.lab.players import parse_player
from bot.play.levels import elo_of
from bot.settings import DashboardSettings, EngineRule, Settings, load_settings, parse_clock

__all__ = ["BOT_NAME", "OfflineOptions", "offline_settings", "parse_clock"]

BOT_NAME = "bot88"
STRONGEST = 4000
_ENGINE = re.compile(r"engine88(:\d+)?|.+\.py(:\w+)?")
_PACKAGED = Path(__file__).with_name("offline.yml")
_CHECKED_OUT = Path("config/offline.yml")


@dataclass(frozen=True, slots=True)
class OfflineOptions:
    """`clock`: seconds at the start and for each move. `games` 0 (with `browser`): only those that people start.

    `engine`: an engine as bot.lab names it, instead of those of the configuration.
    """

    games: int = 1
    concurrency: int = 1
    clock: tuple[float, float] = (60.0, 0.0)
    opponent: str = "greedy"
    seed: int | None = None
    json: bool = False
    browser: bool = False
    faults: str = "calm"
    port: int = 0
    bind: str = "127.0.0.1"
    config: Path | None = None
    engine: str = ""
    variant: str = "standard"
    level: str = ""


def offline_settings(options: OfflineOptions, url: str, token: str) -> Settings:
    """The configuration for the server at `url`: --config, else config/offline.yml here, else the one we brought."""
    path = options.config or (_CHECKED_OUT if _CHECKED_OUT.is_file() else _PACKAGED)
    settings = load_settings(path, {key: value for key, value in os.environ.items() if key != "BOT88_TOKEN"})
    lichess = settings.lichess.model_copy(update={"url": url, "token": SecretStr(token), "token_file": None})
    concurrency = max(options.concurrency, settings.concurrency if options.browser else 1)
    dashboard = _dashboard(settings.dashboard, options.bind)
    update = {"lichess": lichess, "concurrency": concurrency, "dashboard": dashboard}
    if options.browser and settings.store is None:  # people expect to find their games again
        update["store"] = state_folder(os.environ) / "offline.sqlite3"
    settings = settings.model_copy(update=update)
    settings = with_engine(settings, options.engine) if options.engine else settings
    return _with_level(_with_variant(settings, options.variant), options.level)


def _with_variant(settings: Settings, variant: str) -> Settings:
    """Return settings that accept challenges to the variant. Raises ConfigurationError if no engine plays it."""
    played = dict.fromkeys(name for entry in settings.engines for name in entry.variants if name != "fromPosition")
    if variant not in played:
        raise ConfigurationError(
            f"--variant {variant}: no engine of the configuration plays it{choices(variant, played)}"
        )
    accepted = dict.fromkeys((*settings.challenges.variants, variant))
    challenges = settings.challenges.model_copy(update={"variants": tuple(accepted)})
    return settings.model_copy(update={"challenges": challenges})


def _with_level(settings: Settings, word: str) -> Settings:
    """Return settings in which the bot plays at a level; "" changes nothing. Raises ConfigurationError."""
    if not word:
        return settings
    try:
        elo = elo_of(settings.conduct.levels, word)
    except ValueError as error:
        raise ConfigurationError(f"--level {error}") from error
    return settings.model_copy(update={"rules": (EngineRule(level=elo), *settings.rules)})


def with_engine(settings: Settings, spec: str) -> Settings:
    """Return settings in which one engine plays all games, at its level. Raises ConfigurationError."""
    player = parse_player(spec, slots=settings.concurrency)
    rules = (EngineRule(level=player.elo),) if player.elo else ()
    return settings.model_copy(update={"engines": (player.entry,), "rules": rules})


def opponent_spec(text: str) -> str:
    """Return the opponent as the server names it: my_engine.py, engine88 and engine88:1200 become their commands.

    Raises ConfigurationError for a file that does not exist.
    """
    if not _ENGINE.fullmatch(text):
        return text
    player = parse_player(text)
    return f"elo{player.elo or STRONGEST}:{player.command}"


def _dashboard(wanted: DashboardSettings, bind: str) -> DashboardSettings:
    """On unless the configuration switches it off; where none is named at its usual port, or at a free one."""
    named = wanted.model_fields_set
    enabled = wanted.enabled or "enabled" not in named
    host = wanted.host if "host" in named else bind
    port = wanted.port if "port" in named or _is_free(host, wanted.port) else 0
    return wanted.model_copy(update={"enabled": enabled, "host": host, "port": port})


def _is_free(host: str, port: int) -> bool:
    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return True
    except OSError:
        return False
