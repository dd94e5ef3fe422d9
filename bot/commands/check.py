"""`bot88 check`: check the configuration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, load_configuration

CheckedPath = Annotated[Path | None, typer.Argument(help="Configuration file; the same as --config.")]


def check(
    context: typer.Context,
    path: CheckedPath = None,
    config: ConfigOption = None,
    start_up: Annotated[
        bool, typer.Option("--start-up", help="Also try the token, the account and the engines.")
    ] = False,
) -> None:
    """Check the configuration and show the effective settings, defaults included, without the token."""
    from bot.service.build import start_log
    from bot.service.check import check_start_up, describe

    source = context.get_parameter_source("config")
    if path and source is not None and source.name == "COMMANDLINE":
        raise typer.BadParameter(f"the file is given twice, as {path} and with --config; leave one of them out")
    settings = load_configuration(path or config)
    typer.echo(describe(settings, os.environ), nl=False)
    if start_up:
        start_log(settings)
        typer.echo(check_start_up(settings))
