"""Parts of the service, made from the settings."""

from __future__ import annotations

from bot.archive.store import Store
from bot.engine_pool import EnginePool
from bot.errors import EngineStartError, StartUpError
from bot.lichess import Gateway
from bot.lichess.rate_limits import RateLimits
from bot.log import Levels, Rotation, configure_log
from bot.service.signals import ExitCode, StopSignals
from bot.settings import Settings

STREAMS_BESIDE_GAMES = 16


def start_log(settings: Settings) -> None:
    """Begin to log as configured. A dashboard hears level info too, whatever the console shows.

    Raises ConfigurationError when the file cannot be opened.
    """
    log = settings.log
    levels = Levels(log.level, log.levels, heard="info" if settings.dashboard.enabled else "")
    rotation = Rotation(log.max_bytes, log.max_days, log.keep)
    configure_log(levels, log.format, log.file, rotation=rotation, secret=settings.token)


def gateway_of(settings: Settings, store: Store) -> Gateway:
    """Return the gateway to the server, its rate limits kept in the store."""
    return Gateway(
        settings.lichess.url,
        settings.token,
        limits=RateLimits(store),
        connections=settings.concurrency + STREAMS_BESIDE_GAMES,
        stream_silence_s=settings.lichess.stream_silence_s,
    )


def start_engines(pool: EnginePool, signals: StopSignals) -> None:
    """Start the engines; a signal ends the waiting. Raises StartUpError."""
    try:
        signals.run(pool.start)
    except EngineStartError as error:
        raise StartUpError(
            f"no engine runs: {error}", "correct `engines:` in the configuration", ExitCode.ENGINE
        ) from error
