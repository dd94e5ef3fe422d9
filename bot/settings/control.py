"""The local socket over which `bot88 ctl` talks to the running bot."""

from __future__ import annotations

from bot.settings.base import Closed, FilePath, Flag


class ControlSettings(Closed):
    """Only the user that runs the bot may connect. `socket` None: beside the store, else in the user's state folder."""

    enabled: Flag = True
    socket: FilePath | None = None
