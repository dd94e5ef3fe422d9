"""`bot88 run`: the service, and beside it what takes commands."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable

from rich.console import Console

from bot.app.command_handler import CommandHandler
from bot.app.service import Service
from bot.app.signals import ExitCode
from bot.app.warmup import warm_up
from bot.control.address import own_path
from bot.control.server import AlreadyListening, ControlServer
from bot.dashboard.last_error import LastError
from bot.errors import StartUpError
from bot.settings import Settings


def run_bot(settings: Settings, read_settings: Callable[[], Settings], give_up_after_s: float | None) -> int:
    """Play until a signal or a command; returns the exit code. Raises StartUpError, ConfigurationError, StoreError."""
    service = Service(
        settings,
        prepare_engines=functools.partial(warm_up, settings.engines, Console(stderr=True)),
        read_settings=read_settings,
        give_up_after_s=give_up_after_s,
    )
    errors = LastError()
    handler = CommandHandler(service, errors)
    control = ControlServer(own_path(settings, os.environ), handler.handle) if settings.control.enabled else None
    errors.install()
    try:
        if control is not None:
            _listen(control)
        return service.run()
    finally:
        errors.remove()
        service.close()
        if control is not None:
            control.close()


def _listen(control: ControlServer) -> None:
    try:
        control.start()
    except AlreadyListening as error:
        raise StartUpError(
            str(error),
            "end it with `bot88 ctl quit`, or give this one a control.socket (and a store) of its own",
            ExitCode.FAILED,
        ) from error
