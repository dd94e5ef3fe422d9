"""The commands about a bot that runs, for those who look after it: `bot88 health`."""

from __future__ import annotations

import typer

from bot.config_option import ConfigOption, load_configuration


def health(config: ConfigOption = None) -> None:
    """Ask the dashboard of the running bot whether it is well: exit code 0 or 1. For container health checks.

    Without a dashboard (`dashboard.enabled: false`) nobody can be asked: that is said, and counts as well.
    """
    from bot.app.health_command import ask_health

    verdict = ask_health(load_configuration(config).dashboard)
    typer.echo(verdict.text, err=not verdict.well)
    raise typer.Exit(0 if verdict.well else 1)
