"""`bot88 run`: the service with console, control socket and notifier."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rich.console import Console

from bot.archive.retention import EVERY_S as RETENTION_EVERY_S
from bot.archive.retention import FIRST_S, tidy
from bot.control.server import AlreadyListening, ControlServer
from bot.control.wire import own_path
from bot.errors import StartUpError
from bot.log import quiet_console
from bot.log.console import is_terminal
from bot.service.command_handler import CommandHandler
from bot.service.kernels import NativeKernels, warm_up
from bot.service.notifications import Notifier
from bot.service.service import Service
from bot.service.signals import ExitCode, StopSignals
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.service.live_console import LiveConsole


def run_bot(
    settings: Settings,
    read_settings: Callable[[], Settings],
    give_up_after_s: float | None,
    *,
    plain: bool = False,
) -> int:
    """Play until a signal or a command; returns the exit code. Raises StartUpError, ConfigurationError, StoreError.

    On a terminal there is a live view with a prompt, unless `plain` or the log is JSON.
    """
    native = NativeKernels(settings.engines)
    prepare = functools.partial(_prepare_engines, settings, native)
    service = Service(settings, prepare_engines=prepare, read_settings=read_settings, give_up_after_s=give_up_after_s)
    shown = not plain and settings.log.format == "console" and _owns_terminal()
    if settings.log.format == "console" and is_terminal():
        quiet_console("ending")  # said in a sentence instead
        service.say = _say
    with contextlib.ExitStack() as stack:
        stack.callback(service.close)
        _take_commands(service, stack, shown=shown)
        stack.callback(native.stop)
        return _run(service, stack)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # the terminal is gone, and nobody reads it
        Console(stderr=True, highlight=False).print(text)


def _owns_terminal() -> bool:
    """Return whether there is a POSIX terminal for the live view."""
    if find_spec("termios") is None:
        return False
    from bot.service.live_console import owns_terminal

    return owns_terminal()


def _console(handler: CommandHandler) -> LiveConsole:
    from bot.service.live_console import LiveConsole

    return LiveConsole(handler)


def _take_commands(service: Service, stack: contextlib.ExitStack, *, shown: bool) -> None:
    """Open the control socket and, if `shown`, the console; `stack` closes both. Raises StartUpError."""
    handler = CommandHandler(service)
    if service.dashboard is not None:
        service.dashboard.take_commands(handler.handle)
    console = _console(handler) if shown else None
    if console is not None:
        service.signals.on_forced_exit = console.restore
        stack.callback(console.close)
    if service.settings.control.enabled:
        control = ControlServer(own_path(service.settings, os.environ), handler.handle)
        _listen(control)
        stack.callback(control.close)
    stack.callback(service.close)  # before the console and the socket, which show that the bot still runs
    if console is not None:
        console.start()


def _prepare_engines(settings: Settings, native: NativeKernels, signals: StopSignals) -> None:
    native.start(shipped=warm_up(settings.engines, Console(stderr=True), signals))


def _run(service: Service, stack: contextlib.ExitStack) -> int:
    """Run the service and its notifier, which also reports an account that is refused at the start."""
    settings, ratings = service.settings, lambda: service.gateway.account().ratings
    notifier = Notifier(settings.notify, service.observer.look, ratings, service.store)
    stack.callback(notifier.stop)
    notifier.start()
    if settings.retention.games_days or settings.retention.games:
        remove_old_games = functools.partial(tidy, settings.retention, settings.pgn_folder)
        service.store.repeat("retention", remove_old_games, FIRST_S, RETENTION_EVERY_S)
    try:
        return service.run()
    except StartUpError as error:
        if error.exit_code == ExitCode.ACCOUNT:
            notifier.start_was_refused(str(error))
        raise


def _listen(control: ControlServer) -> None:
    try:
        control.start()
    except AlreadyListening as error:
        raise StartUpError(
            str(error),
            "end it with `bot88 ctl quit`, or give this one a control.socket (and a store) of its own",
            ExitCode.FAILED,
        ) from error
