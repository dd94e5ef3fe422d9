"""`bot88 backup`: copy the store and the PGN into one ZIP file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, load_configuration
from bot.errors import ConfigurationError


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new ZIP file.")], config: ConfigOption = None
) -> None:
    """Copy the store and the PGN into one file; the bot may be running. See docs/deploy.md for how to restore it."""
    from bot.archive.backup import back_up

    settings = load_configuration(config, with_secrets=False)
    if settings.store is None:
        raise ConfigurationError("there is nothing to back up: no `store:` is configured")
    made = back_up(settings.store, settings.pgn_folder, file)
    typer.echo(f"{file}: {made.games} games, {made.pgn_files} PGN files, {made.size_bytes / 1e6:.1f} MB")
