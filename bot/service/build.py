"""Build the parts of the service from the settings."""

from __future__ import annotations

from bot.account.admission import Admission
from bot.account.dispatcher import Dispatcher
from bot.account.tournaments import ArenaWorker
from bot.archive.pgn_file import PgnFolder
from bot.archive.review.values import REVIEWS, GameReview, find_review
from bot.archive.store import Store
from bot.engine_pool.pool import EnginePool
from bot.errors import EngineStartError, StartUpError
from bot.lichess.gateway import Gateway
from bot.lichess.rate_limits import RateLimits
from bot.log import configure_log
from bot.service.signals import ExitCode, StopSignals
from bot.service.startup_checks import missing_scopes
from bot.settings import Settings

STREAMS_BESIDE_GAMES = 16


def start_log(settings: Settings) -> None:
    """Begin to log as configured. A dashboard hears level info too, whatever the console shows.

    Raises ConfigurationError when the file cannot be opened.
    """
    log = settings.log
    heard = "info" if settings.dashboard.enabled else log.level
    size = {"max_bytes": log.max_bytes, "keep": log.keep}
    configure_log(log.level, log.format, log.file, heard=heard, secret=settings.token, **size)


def store_of(settings: Settings) -> Store:
    """Open the configured store, which also writes the PGN files. Raises StoreError."""
    folder = settings.pgn_folder
    return Store(settings.store, None if folder is None else PgnFolder(folder, settings.pgn.group))


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


def arenas_of(gateway: Gateway, settings: Settings, dispatcher: Dispatcher, admission: Admission) -> ArenaWorker:
    """Build what takes part in arenas; features whose scope the token lacks are left out."""
    left_out = {one.key.removeprefix("tournaments."): () for one in missing_scopes(gateway, settings)}
    allowed = settings.tournaments.model_copy(update=left_out)

    def running() -> list[str]:
        return [loop.info.tournament_id for loop in dispatcher.registry.loops()]

    return ArenaWorker(gateway, allowed, dispatcher.slots, running, admission)


def review_of(settings: Settings, game_id: str) -> GameReview | None:
    """Return what `bot88 review` found about a game, None without a store."""
    return None if settings.store is None else find_review(settings.store.parent / "review" / REVIEWS, game_id)
