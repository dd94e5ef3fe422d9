"""The commands about finished games: `bot88 games | stats`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.config_option import ConfigOption, load_configuration

SinceOption = Annotated[str, typer.Option(help="12h, 7d or 2w ago, or a date such as 2026-01-31 (UTC); default: all.")]
OpponentOption = Annotated[str, typer.Option(help="Only games with this user.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


def games(
    since: SinceOption = "",
    opponent: OpponentOption = "",
    pgn: Annotated[Path | None, typer.Option(help="Write the games into this new file instead.")] = None,
    config: ConfigOption = None,
) -> None:
    """List the finished games in the store, oldest first, or write them as PGN."""
    from bot.app.archive_tools.selection import games_table, select, write_pgn

    found = select(load_configuration(config), since, opponent)
    if pgn is None:
        typer.echo(games_table(found), nl=False)
    else:
        typer.echo(f"{write_pgn(found, pgn)} of {len(found)} games are in {pgn}")


def stats(
    since: SinceOption = "",
    opponent: OpponentOption = "",
    json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw rating and results over time: .svg, .png or .pdf; replaces the file.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Show the results of the games in the store: by kind of opponent, speed, colour, mode and opening.

    opp. is the mean rating of the opponents that had one, perf. the rating at which Elo's formula expects the score
    made against them, at most 800 points from their mean.
    """
    from bot.app.archive_tools.selection import select
    from bot.app.archive_tools.statistics import statistics, statistics_json, statistics_table

    kept = select(load_configuration(config), since, opponent)
    found = statistics(kept)
    if plot is not None:
        from bot.app.archive_tools.stats_plot import draw_statistics

        drawn = draw_statistics(kept, plot)
        typer.echo(f"{drawn} games are drawn in {plot}", err=True)
    typer.echo(statistics_json(found) if json else statistics_table(found), nl=False)
