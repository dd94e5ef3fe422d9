"""The gateway to Lichess: the only part of the bot that speaks HTTP to the server."""

from bot.lichess.formats import EventStream
from bot.lichess.gateway import Gateway
from bot.lichess.server import Server
from bot.lichess.values import Account

__all__ = ["Account", "EventStream", "Gateway", "Server"]
