"""The timer of one search: `stop` when its time is used up, replacement of the process when that is ignored."""

from __future__ import annotations

import asyncio

import structlog

from bot.engine_pool.protocol import MonitoredUci
from bot.engine_pool.search_deadline import SearchDeadline
from bot.errors import EngineTimeout

log = structlog.get_logger(__name__)


class SearchTimeout:
    """Started when it is made. Each search has its own: cancelling one never cancels the next search's timer."""

    def __init__(self, protocol: MonitoredUci, name: str, deadline: SearchDeadline | None) -> None:
        self._protocol, self._name = protocol, name
        self._timer: asyncio.TimerHandle | None = None
        if deadline is not None:
            self._timer = asyncio.get_running_loop().call_later(deadline.stop_after_s, self._stop, deadline.grace_s)

    def cancel(self) -> None:
        """Cancel the timer: the search is over or no longer wanted. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()

    def _stop(self, grace_s: float) -> None:
        log.warning("engine_search_timed_out", engine=self._name)
        self._protocol.stop_search()
        failure = EngineTimeout(f"{self._name}: the search timed out, and `stop` brought no move in {grace_s:.2f} s")
        self._timer = asyncio.get_running_loop().call_later(grace_s, self._protocol.fail, failure)
