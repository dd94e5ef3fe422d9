"""Writing a file that must not exist yet."""

from __future__ import annotations

import os
from pathlib import Path

from bot.errors import ConfigurationError


def write_new(
    path: Path,
    text: str,
    *,
    remedy: str = "name a new file, or remove it first",
    mode: int = 0o666,
    overwrite: bool = False,
) -> None:
    """Write a file, and its folder where that is missing. Raises ConfigurationError where the file exists already.

    `remedy`: what to do then; `mode`: of the file, before the umask; `overwrite` replaces a file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(
            path, "w" if overwrite else "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode)
        ) as file:
            file.write(text)
    except OSError as error:
        if isinstance(error, FileExistsError) and path.exists():  # else it is a file in a folder's place
            raise ConfigurationError(f"{path}: exists already; {remedy}") from error
        raise ConfigurationError(f"{path}: cannot be written: {error.strerror or error}") from error
