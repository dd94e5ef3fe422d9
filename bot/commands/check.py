"""`bot88 check`: check the configuration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, configuration_name, load_configuration

CheckedPath = Annotated[Path | None, typer.Argument(metavar="FILE", help="Configuration file; the same as --config.")]


AllOption = Annotated[bool, typer.Option("--all", help="Print the whole configuration as YAML, with comments.")]
StartUpOption = Annotated[bool, typer.Option("--start-up", help="Also try the token, the account and the engines.")]


def check(
    context: typer.Context,
    path: CheckedPath = None,
    config: ConfigOption = None,
    everything: AllOption = False,
    start_up: StartUpOption = False,
) -> None:
    """Check the configuration: mistakes, missing files and programs, the rules in words, and the changed keys."""
    from bot.service.build import start_log
    from bot.service.check import check_start_up, configuration, problems_of, summary

    source = context.get_parameter_source("config")
    if path and source is not None and source.name == "COMMANDLINE":
        raise typer.BadParameter(f"the file is given twice, as {path} and with --config; leave one of them out")
    settings = load_configuration(path or config, check=problems_of)
    if everything:
        typer.echo(configuration(settings, os.environ), nl=False)
    else:
        typer.echo(summary(settings, configuration_name(path or config), os.environ), nl=False)
    if start_up:
        start_log(settings)
        typer.echo(check_start_up(settings))
