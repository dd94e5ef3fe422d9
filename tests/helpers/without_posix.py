"""Runs `bot88` in an interpreter that lacks what only POSIX systems have: `python -m tests.helpers.without_posix ARGS`.

The standard library and installed packages keep what they need: they are imported before it is taken away.
"""

from __future__ import annotations

import asyncio
import multiprocessing.popen_spawn_posix
import os
import pkgutil
import signal
import socketserver
import subprocess
import sys

HIDDEN_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
HIDDEN_NAMES = {
    os: ("fchmod", "getpgrp", "getuid", "geteuid", "killpg", "setsid", "statvfs", "tcgetpgrp", "uname"),
    signal: ("SIGHUP", "SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2"),
}
_KEPT = (asyncio, multiprocessing.popen_spawn_posix, socketserver, subprocess)


def hide() -> None:
    """Take it all away."""
    import bot.control.wire

    for name in HIDDEN_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # how an import is made to fail
    for module, names in HIDDEN_NAMES.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    bot.control.wire.HAS_UNIX_SOCKETS = False


def import_all() -> list[str]:
    """Import every module of both packages; returns those that failed, with the reason."""
    failed = []
    for package in ("bot", "engine88"):
        root = __import__(package)
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            # the console is loaded on POSIX terminals alone; the test is copied beside the engine that it imports
            if found.name.endswith(("__main__", ".live_console", ".template.test_my_engine")):
                continue
            try:
                __import__(found.name)
            except ImportError as error:
                failed.append(f"{found.name}: {error}")
    return failed


def main() -> None:
    """Run `bot88` with the arguments, or with `--import-all` import what there is."""
    if sys.argv[1:] == ["--import-all"]:
        import distributed  # noqa: F401 -- kept, as above
        import matplotlib.pyplot  # noqa: F401 -- kept, as above

        hide()
        sys.exit("\n".join(import_all()) or 0)
    import uvicorn  # noqa: F401 -- kept, as above

    hide()
    from bot.cli import main as run

    run()


if __name__ == "__main__":
    main()
