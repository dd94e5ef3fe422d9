"""Options that several commands share, and the configuration that `--config` loads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.settings.model import Check

DEFAULT_CONFIG = Path("config/bot88.yml")

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", envvar="BOT88_CONFIG", help=f"Configuration file; default: {DEFAULT_CONFIG}."),
]

#: How a command names an engine; bot.lab.players reads it.
ENGINE_FORMS = "my_engine.py, my_engine.py:CLASS, engine88:1600 (an Elo) or the command of a UCI engine."

SinceOption = Annotated[
    str, typer.Option(metavar="TIME", help="12h, 7d or 2w ago, or a date such as 2026-01-31 (UTC); default: all.")
]
OpponentOption = Annotated[str, typer.Option(metavar="USER", help="Only games with this user.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


def configuration_name(config: Path | None) -> str:
    """Return the name of the configuration that `load_configuration` loads."""
    if config is None and not DEFAULT_CONFIG.exists():
        return "built-in defaults"
    return str(config or DEFAULT_CONFIG)


def load_configuration(
    config: Path | None, *, with_secrets: bool = True, check: Check = lambda _settings: ()
) -> Settings:
    """Load the given file, else the one in ./config, else the defaults. Raises ConfigurationError.

    With `with_secrets` False, files that hold a secret are not opened: only the bot's user may be able to read them.
    `check` finds problems that the models cannot see.
    """
    from bot.settings import load_settings, parse_settings

    if config is None and not DEFAULT_CONFIG.exists():
        name = configuration_name(config)
        return parse_settings("{}", name, folder=Path.cwd(), environ=os.environ, check=check)
    return load_settings(config or DEFAULT_CONFIG, os.environ, with_secrets=with_secrets, check=check)
