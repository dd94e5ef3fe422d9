"""What the dashboard sees of the service."""

from __future__ import annotations

from typing import Protocol

from bot.account.admission import Admission
from bot.account.dispatcher import Dispatcher
from bot.archive.store import Store
from bot.dashboard import DashboardServer, Meters, SearchNotes, Sources
from bot.engine_pool import EnginePool
from bot.lichess import Account, Gateway
from bot.service.finished_games import FinishedGames
from bot.service.signals import StopSignals
from bot.settings import Settings


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


def dashboard_of(service: Observed) -> DashboardServer:
    """Build the dashboard of a service; it is served from its `start` on."""
    return DashboardServer(service.settings.dashboard, sources_of(service), service.meters)


def sources_of(service: Observed) -> Sources:
    """Return what pictures of the service are made of."""
    finished = FinishedGames(service.settings, service.store, service.gateway.url)
    return Sources(
        server_url=service.gateway.url,
        account=lambda: service.account.username if service.account is not None else None,
        snapshot=lambda: service.dispatcher.snapshot() if service.dispatcher is not None else None,
        engines=service.pool.snapshot,
        limits=service.gateway.limits.snapshot,
        limited=service.gateway.limits.limited_counts,
        games_since=service.store.games_since,
        ending=lambda: service.signals.asked,
        secret=service.settings.token,
        notes=service.search_notes,
        paused=lambda: service.admission.paused,
        kept_games=finished.since,
        replay=finished.replay,
    )
