"""`python -m bot.openings` sorts the list of openings and fills in the positions of new lines."""

from bot.openings.lookup import LIST_PATH, completed

LIST_PATH.write_text(completed(LIST_PATH.read_text(encoding="utf-8")), encoding="utf-8")
