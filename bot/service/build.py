"""Build the parts of the service from the settings."""

from __future__ import annotations

from typing import Protocol

from bot.account.admission import Admission
from bot.account.dispatcher import Dispatcher
from bot.account.tournaments import ArenaWorker
from bot.account.visibility import VisibilityWatch
from bot.archive.pgn_file import PgnFolder
from bot.archive.review.values import REVIEWS, GameReview, find_review
from bot.archive.store import Store
from bot.dashboard import DashboardServer, Meters, SearchNotes, Sources
from bot.dashboard.history import MOST_GAMES
from bot.engine_pool import EnginePool
from bot.errors import EngineStartError, StartUpError
from bot.lichess.gateway import Gateway
from bot.lichess.rate_limits import RateLimits
from bot.lichess.values import Account
from bot.log import Levels, Rotation, configure_log
from bot.service.signals import ExitCode, StopSignals
from bot.service.startup_checks import check_scopes
from bot.settings import Settings, TournamentSettings

STREAMS_BESIDE_GAMES = 16


def start_log(settings: Settings) -> None:
    """Begin to log as configured. A dashboard hears level info too, whatever the console shows.

    Raises ConfigurationError when the file cannot be opened.
    """
    log = settings.log
    levels = Levels(log.level, log.levels, heard="info" if settings.dashboard.enabled else "")
    rotation = Rotation(log.max_bytes, log.max_days, log.keep)
    configure_log(levels, log.format, log.file, rotation=rotation, secret=settings.token)


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
    missing = {one.key for one in check_scopes(gateway, settings)}
    allowed = allowed_tournaments(settings.tournaments, missing)

    def running() -> list[str]:
        return [loop.info.tournament_id for loop in dispatcher.registry.loops()]

    return ArenaWorker(gateway, allowed, dispatcher.slots, running, admission)


def allowed_tournaments(settings: TournamentSettings, missing: set[str]) -> TournamentSettings:
    """Return the settings without arenas or teams that the token does not allow."""
    left_out = {key.removeprefix("tournaments."): () for key in missing if key.startswith("tournaments.")}
    return settings.model_copy(update=left_out)


class Observed(Protocol):
    """The parts of the service that are looked at; `account` and `dispatcher` come with its start."""

    settings: Settings
    signals: StopSignals
    store: Store
    gateway: Gateway
    pool: EnginePool
    meters: Meters
    search_notes: SearchNotes
    admission: Admission
    account: Account | None
    dispatcher: Dispatcher | None
    visibility: VisibilityWatch | None


def dashboard_of(service: Observed) -> DashboardServer:
    """Build the dashboard of a service; it is served from its `start` on."""
    return DashboardServer(service.settings.dashboard, sources_of(service), service.meters)


def sources_of(service: Observed) -> Sources:
    """Return what pictures of the service are made of."""
    return Sources(
        server_url=service.gateway.url,
        account=lambda: service.account.username if service.account is not None else None,
        snapshot=lambda: service.dispatcher.snapshot() if service.dispatcher is not None else None,
        engines=service.pool.snapshot,
        limits=service.gateway.limits.snapshot,
        limited=service.gateway.limits.limited_counts,
        outcomes=service.store.outcomes,
        ending=lambda: service.signals.asked,
        secret=service.settings.token,
        notes=service.search_notes,
        paused=lambda: service.admission.paused,
        played=lambda since_s: service.store.games(since_s, newest=MOST_GAMES),
        game=service.store.game,
        visibility=lambda: service.visibility.latest if service.visibility is not None else None,
        review=lambda game_id: _review_of(service.settings, game_id),
    )


def _review_of(settings: Settings, game_id: str) -> GameReview | None:
    """Return what `bot88 review` found about a game, None without a store."""
    return None if settings.store is None else find_review(settings.store.parent / "review" / REVIEWS, game_id)
