"""What the dashboard sees of the service."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from bot.account.admission import Admission
from bot.account.dispatcher import Dispatcher
from bot.account.kept_games import KeptGame, kept_games
from bot.account.store import Store
from bot.app.signals import StopSignals
from bot.dashboard import DashboardServer, Meters, SearchNotes, Sources
from bot.engine_pool import EnginePool
from bot.events.game import ONGOING
from bot.lichess import Account, Gateway
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
        kept_games=partial(_kept_games, service),
    )


def _kept_games(service: Observed, since_s: float) -> list[KeptGame]:
    """The finished games, from the store's file over a connection of their own, or from a store in memory."""
    if service.settings.store is not None:
        return kept_games(service.settings.store, since_s)
    pgns = {record.game_id: pgn for record, pgn in service.store.games_without_pgn()}
    found = [KeptGame(record, pgns.get(record.game_id, "")) for record in service.store.games_since(since_s)]
    return [kept for kept in found if kept.record.status not in ONGOING]
