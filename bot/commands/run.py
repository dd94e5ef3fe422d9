"""`bot88 run`: play on Lichess until a signal."""

from __future__ import annotations

import functools
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, load_configuration

GiveUpOption = Annotated[
    float | None,
    typer.Option(min=0, help="Seconds to wait for a server that does not answer at the start; default: forever."),
]
PlainOption = Annotated[bool, typer.Option("--plain", help="Log lines alone, also on a terminal.")]


def run(
    config: ConfigOption = None,
    give_up_after: GiveUpOption = None,
    plain: PlainOption = False,
) -> None:
    """Play on Lichess until SIGINT or SIGTERM: running games are finished first, a second signal ends at once.

    On a terminal it shows the games live and takes commands at a prompt; `bot88 ctl` gives the same from elsewhere.

    SIGHUP reloads challenges, conduct, clock and rules; other changes need a restart.
    """
    from bot.service.build import start_log
    from bot.service.run import run_bot

    settings = load_configuration(config)
    start_log(settings)
    read = functools.partial(load_configuration, config)
    raise typer.Exit(run_bot(settings, read, give_up_after, plain=plain))
