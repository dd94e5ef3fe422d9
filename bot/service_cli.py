"""The commands about a bot that runs, for those who look after it: `bot88 health | backup`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.config_option import ConfigOption, load_configuration
from bot.errors import ConfigurationError


def health(config: ConfigOption = None) -> None:
    """Ask the dashboard of the running bot whether it is well: exit code 0 or 1. For container health checks.

    Without a dashboard (`dashboard.enabled: false`) nobody can be asked: that is said, and counts as well.
    """
    from bot.app.health_command import ask_health

    verdict = ask_health(load_configuration(config, with_secrets=False).dashboard)
    typer.echo(verdict.text, err=not verdict.well)
    raise typer.Exit(0 if verdict.well else 1)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new ZIP file.")], config: ConfigOption = None
) -> None:
    """Copy the store and the PGN into one file, also while the bot runs; docs/deploy.md tells how to restore it."""
    from bot.account.storage.backup import back_up

    settings = load_configuration(config, with_secrets=False)
    if settings.store is None:
        raise ConfigurationError("there is nothing to back up: no `store:` is configured")
    made = back_up(settings.store, settings.pgn_folder, file)
    typer.echo(f"{file}: {made.games} games, {made.pgn_files} PGN files, {made.size_bytes / 1e6:.1f} MB")
