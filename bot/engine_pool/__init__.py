"""Engine processes for all games: started warm, lent, watched, replaced, ended.

    with EnginePool(settings.engines) as pool:
        engine = pool.lend(Requirement())
        thought = engine.play(board, Limit(white_clock=60.0, black_clock=60.0), ponder=True, on_done=queue.put)
        ...                   # thought.stop(): answer now; thought.abandon(): no answer wanted
        engine.give_back()

The answer comes by `on_done` in the pool's thread: post it from there or hand it on, but return soon.
"""

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.info import EngineInfo
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.search_handle import SearchHandle
from bot.engine_pool.values import Answer, EntrySnapshot, IllegalMove, OptionValue, Requirement

__all__ = [
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
