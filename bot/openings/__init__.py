"""Names of chess openings: which one a game played. Pure data and python-chess, for every room above."""

from bot.openings.lookup import Opening, opening_of, opening_of_board

__all__ = ["Opening", "opening_of", "opening_of_board"]
