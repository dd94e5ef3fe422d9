"""The watch over one search's time: `stop` when it is used up, the end of the engine when it does not obey."""

from __future__ import annotations

import asyncio

import structlog

from bot.engine_pool.protocol import WatchedUci
from bot.engine_pool.watch import Patience
from bot.errors import EngineTimeout

log = structlog.get_logger(__name__)


class SearchTimeout:
    """Begins when it is made. Each question has its own: one given up ends its own watch and not the next one's."""

    def __init__(self, protocol: WatchedUci, name: str, allowed: Patience | None) -> None:
        self._protocol, self._name = protocol, name
        self._timer: asyncio.TimerHandle | None = None
        if allowed is not None:
            self._timer = asyncio.get_running_loop().call_later(allowed.stop_s, self._stop, allowed.grace_s)

    def end(self) -> None:
        """The search is over or not wanted any more; again is harmless."""
        if self._timer is not None:
            self._timer.cancel()

    def _stop(self, grace_s: float) -> None:
        log.warning("engine_overdue", engine=self._name)
        self._protocol.stop_search()
        late = EngineTimeout(f"{self._name}: overdue, and no answer to stop in {grace_s:.2f} s")
        self._timer = asyncio.get_running_loop().call_later(grace_s, self._protocol.fail, late)
