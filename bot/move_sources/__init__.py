"""Where a move may come from before the engine searches: books, tablebases, online services; each optional.

sources = MoveSources(settings.move_sources, gateway.fetch_json)
choice = sources.choose(MoveRequest(board, facts, remaining_ms))
"""

from bot.move_sources.choose import MissCounts, OnlineLimits, choose_from
from bot.move_sources.online import Fetch
from bot.move_sources.request import NO_MOVE, Choice, MoveRequest, MoveSource
from bot.move_sources.source_chain import MoveSources, build_sources, check_sources

__all__ = [
    "NO_MOVE",
    "Choice",
    "Fetch",
    "MissCounts",
    "MoveRequest",
    "MoveSource",
    "MoveSources",
    "OnlineLimits",
    "build_sources",
    "check_sources",
    "choose_from",
]
