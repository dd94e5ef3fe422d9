"""`bot88 ctl`: send a command to the running bot."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, load_configuration
from bot.control.command_list import COMMANDS, command_list

CTL_HELP = f"""Give the running bot a command: `bot88 ctl status`, `bot88 ctl challenge USER --clock 3+2`.

It is found by its configuration, so give the same --config as to `bot88 run`. The exit code is 1 where the command
could not be carried out.

\b
{command_list()}"""

SocketOption = Annotated[
    Path | None, typer.Option("--socket", help="The bot's socket, instead of finding it by the configuration.")
]


def _names(incomplete: str) -> list[str]:
    """Return the commands that start with this text, for shell completion."""
    return [name for name in COMMANDS if name.startswith(incomplete)]


def ctl(
    words: Annotated[list[str] | None, typer.Argument(metavar="COMMAND ...", autocompletion=_names)] = None,
    config: ConfigOption = None,
    socket: SocketOption = None,
) -> None:
    """Send a command, print the answer and exit with 0 or 1. A mistyped command fails here, without a bot."""
    from bot.control.client import find_bot, send
    from bot.control.commands import parse_command

    words = words or []
    if parse_command(words).name == "help":
        typer.echo(command_list())
        return
    answer = send(words, socket or find_bot(load_configuration(config, with_secrets=False), os.environ))
    if answer.ok:
        typer.echo(answer.text)
        return
    typer.echo(f"bot88: {answer.text}", file=sys.stderr)
    raise typer.Exit(1)
