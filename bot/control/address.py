"""Where the control socket of a bot lies, for the bot and for those who look for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from bot.settings import Settings

SUFFIX = ".sock"


def own_path(settings: Settings, environ: Mapping[str, str]) -> Path:
    """Return where the running bot listens: as configured, else beside its store, else under its process id."""
    return configured_path(settings) or state_folder(environ) / f"{os.getpid()}{SUFFIX}"


def paths_to_try(settings: Settings, environ: Mapping[str, str]) -> list[Path]:
    """Return where a bot of this configuration may listen; without a path of its own, every one in the state folder."""
    path = configured_path(settings)
    return [path] if path is not None else sorted(state_folder(environ).glob(f"*{SUFFIX}"))


def configured_path(settings: Settings) -> Path | None:
    """Return the path that the configuration names, itself or by its store."""
    if settings.control.socket is not None:
        return settings.control.socket
    return settings.store.with_suffix(SUFFIX) if settings.store is not None else None


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return the user's folder for the sockets of bots without a store."""
    home = environ.get("HOME") or environ.get("LOCALAPPDATA") or "/"
    return Path(environ.get("XDG_STATE_HOME") or Path(home, ".local", "state")) / "bot88"
