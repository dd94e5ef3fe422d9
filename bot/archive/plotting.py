"""Pictures by matplotlib, which is an extra."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from bot.errors import ConfigurationError

FORMATS = (".svg", ".png", ".pdf")
WIN, DRAW, LOSS = "#4c9a5b", "#a9a9a9", "#c0504d"


def new_figure(path: Path, width: float = 9.0, height: float = 7.0) -> Any:
    """Return an empty figure for a picture at `path`; sizes are inches.

    Raises ConfigurationError where matplotlib is missing, or for an ending that is no picture's.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError(f"--plot {path}: the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    try:
        figures: Any = importlib.import_module("matplotlib.figure")
    except ImportError as error:
        raise ConfigurationError("--plot needs matplotlib: pip install 'bot88[plots]'") from error
    return figures.Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write the picture, over an older one. Raises ConfigurationError."""
    try:
        figure.savefig(path)
    except OSError as error:
        raise ConfigurationError(f"--plot {path}: cannot be written: {error}") from error
