"""The commands about finished games: `bot88 games | stats`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.config_option import ConfigOption, load_configuration

SinceOption = Annotated[str, typer.Option(help="12h, 7d or 2w ago, or a date such as 2026-01-31 (UTC); default: all.")]
OpponentOption = Annotated[str, typer.Option(help="Only games with this user.")]


def games(
    since: SinceOption = "",
    opponent: OpponentOption = "",
    pgn: Annotated[Path | None, typer.Option(help="Write the games into this new file instead.")] = None,
    config: ConfigOption = None,
) -> None:
    """List the finished games in the store, oldest first, or write them as PGN."""
    from bot.app.games_command import games_table, select, write_pgn

    found = select(load_configuration(config), since, opponent)
    if pgn is None:
        typer.echo(games_table(found), nl=False)
    else:
        typer.echo(f"{write_pgn(found, pgn)} of {len(found)} games are in {pgn}")


def stats(
    since: SinceOption = "",
    opponent: OpponentOption = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
    config: ConfigOption = None,
) -> None:
    """Show the results of the games in the store: in all, by kind of opponent, by speed, by colour."""
    from bot.app.games_command import select, statistics, statistics_json, statistics_table

    found = statistics(select(load_configuration(config), since, opponent))
    typer.echo(statistics_json(found) if json else statistics_table(found), nl=False)
