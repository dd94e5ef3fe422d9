"""The option `--config` and what it loads, shared by the commands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.settings import Settings

DEFAULT_CONFIG = Path("config/bot88.yml")

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", envvar="BOT88_CONFIG", help=f"Configuration file; default: {DEFAULT_CONFIG}."),
]


def load_configuration(config: Path | None, *, with_secrets: bool = True) -> Settings:
    """The configuration: the file given, else the one in ./config, else the defaults alone.

    `with_secrets` False: files that hold a secret are not opened, for they may be the bot's alone.
    """
    from bot.settings import load_settings, parse_settings

    if config is None and not DEFAULT_CONFIG.exists():
        return parse_settings("{}", "built-in defaults", folder=Path.cwd(), environ=os.environ)
    path, say = config or DEFAULT_CONFIG, lambda line: typer.echo(f"bot88: {line}", err=True)
    return load_settings(path, os.environ, say, with_secrets=with_secrets)
