"""Engine processes for all games: started warm, leased, monitored, replaced, ended.

    with EnginePool(settings.engines) as pool:
        engine = pool.lend(Requirement())
        search = engine.play(board, Limit(white_clock=60.0, black_clock=60.0), ponder=True, on_done=queue.put)
        ...                   # search.abandon(): no answer wanted
        engine.give_back()

The answer is delivered to `on_done` in the pool's thread: process it quickly there or hand it to another thread.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.engine_pool.engine_lease import EngineLease
    from bot.engine_pool.pool import FALLBACK, EnginePool
    from bot.engine_pool.search import SearchHandle
    from bot.engine_pool.values import Answer, EngineInfo, EntrySnapshot, IllegalMove, OptionValue, Requirement

__all__ = [
    "FALLBACK",
    "Answer",
    "EngineInfo",
    "EngineLease",
    "EnginePool",
    "EntrySnapshot",
    "IllegalMove",
    "OptionValue",
    "Requirement",
    "SearchHandle",
]

_MODULES = {"EngineLease": "engine_lease", "FALLBACK": "pool", "EnginePool": "pool", "SearchHandle": "search"}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: processes of python_engine, below this package, need none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES.get(name, 'values')}"), name)
