"""The dashboard: a page, its state as JSON, health and metrics, made from snapshots on a separate thread."""

from bot.dashboard.games import SearchNotes
from bot.dashboard.metrics import Meters
from bot.dashboard.picture import Observer, Sources
from bot.dashboard.server import DashboardServer
