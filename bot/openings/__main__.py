"""`python -m bot.openings`: fills in the positions of new lines in the list of openings and sorts it."""

from bot.openings.lookup import LIST_PATH
from bot.openings.opening_list import completed

LIST_PATH.write_text(completed(LIST_PATH.read_text(encoding="utf-8")), encoding="utf-8")
