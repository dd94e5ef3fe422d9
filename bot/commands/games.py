"""`bot88 games`: list the finished games."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, JsonOption, OpponentOption, SinceOption, load_configuration


def games(
    since: SinceOption = "",
    opponent: OpponentOption = "",
    pgn: Annotated[Path | None, typer.Option(help="Write the games into this new file instead.")] = None,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List the finished games in the store, oldest first, or write them as PGN.

    The table fits the terminal (80 columns without one); --json shortens nothing.
    """
    from bot.archive.listing import games_json, games_table, select, write_pgn

    found = select(load_configuration(config, with_secrets=False), since, opponent, with_pgn=pgn is not None)
    if pgn is not None:
        typer.echo(f"{write_pgn(found, pgn)} of {len(found)} games are in {pgn}", err=json)
    if json:
        typer.echo(games_json(found), nl=False)
    elif pgn is None:
        typer.echo(games_table(found, shutil.get_terminal_size().columns), nl=False)
