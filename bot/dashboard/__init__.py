"""The dashboard: a page, its state as JSON, health and metrics, served by a thread of its own.

It reads snapshots and never waits for a game's lock, so that no move waits for it.
"""

from bot.dashboard.picture import Observer, Sources
from bot.dashboard.prometheus.meters import Meters
from bot.dashboard.search_notes import SearchNotes
from bot.dashboard.server import DashboardServer

__all__ = ["DashboardServer", "Meters", "Observer", "SearchNotes", "Sources"]
