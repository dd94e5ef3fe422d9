"""Names of chess openings by position."""

from bot.openings.lookup import Opening, opening_of, opening_of_board
