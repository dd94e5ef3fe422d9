"""Where a move may come from before the engine searches: books, tablebases, online services; each optional.

sources = MoveSources(settings.move_sources, gateway.fetch_json)
ask = sources.source_for(game, limit)  # None if no source is eligible
choice = ask(board) if ask is not None else None
"""

from bot.move_sources.request import Choice
from bot.move_sources.source_chain import MoveSources, check_sources
