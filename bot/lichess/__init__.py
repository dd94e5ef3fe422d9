"""The gateway to Lichess: the only part of the bot that speaks HTTP."""

from bot.lichess.gateway import Account, Gateway, MoveReceipt, TokenInfo
from bot.lichess.server import Server
from bot.lichess.streams import EventStream

__all__ = ["Account", "EventStream", "Gateway", "MoveReceipt", "Server", "TokenInfo"]
