"""`bot88 offline`: the bot against a Lichess on this machine, from the first challenge to the PGN."""

from bot.offline.command import play_offline
from bot.offline.options import OfflineOptions, parse_clock
