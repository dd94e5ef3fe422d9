"""What the command line asks for, and the configuration that goes with it."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from bot.errors import ConfigurationError
from bot.settings import Settings, load_settings

BOT_NAME = "bot88"
_FRACTIONS = {"¼": 0.25, "½": 0.5, "¾": 0.75}
_PACKAGED = Path(__file__).with_name("offline.yml")
_CHECKED_OUT = Path("config/offline.yml")


@dataclass(frozen=True, slots=True)
class OfflineOptions:
    """`clock`: seconds at the start and for each move. `games` 0 (with `browser`): only those that people start."""

    games: int = 1
    concurrency: int = 1
    clock: tuple[float, float] = (60.0, 0.0)
    opponent: str = "greedy"
    seed: int | None = None
    json: bool = False
    browser: bool = False
    faults: str = "calm"
    port: int = 0
    config: Path | None = None


def parse_clock(text: str) -> tuple[float, float]:
    """Read "MIN+INC" (minutes, seconds) as (seconds, seconds); ConfigurationError for anything else."""
    minutes, plus, increment = text.strip().partition("+")
    try:
        clock = (_FRACTIONS.get(minutes) or _number(minutes)) * 60.0, _number(increment) if plus else 0.0
    except ValueError as error:
        raise ConfigurationError(
            f"--clock {text!r}: expected MINUTES+SECONDS, such as 0.5+0 (half a minute) or 3+2"
        ) from error
    if not 0 <= clock[0] <= 180 * 60 or not 0 <= clock[1] <= 180 or sum(clock) <= 0:
        raise ConfigurationError(f"--clock {text!r}: up to 180 minutes and 180 seconds, and more than nothing")
    return clock


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    value = float(above) / float(below) if slash and float(below) else float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def offline_settings(options: OfflineOptions, url: str, token: str) -> Settings:
    """The configuration for the server at `url`: --config, else config/offline.yml here, else the one we brought."""
    path = options.config or (_CHECKED_OUT if _CHECKED_OUT.is_file() else _PACKAGED)
    settings = load_settings(path, {key: value for key, value in os.environ.items() if key != "BOT88_TOKEN"})
    lichess = settings.lichess.model_copy(update={"url": url, "token": SecretStr(token), "token_file": None})
    concurrency = max(options.concurrency, settings.concurrency if options.browser else 1)
    return settings.model_copy(update={"lichess": lichess, "concurrency": concurrency})
