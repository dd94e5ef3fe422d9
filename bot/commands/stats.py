"""`bot88 stats`: show results and ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, JsonOption, OpponentOption, SinceOption, load_configuration


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
    from bot.archive.listing import select
    from bot.archive.statistics import statistics, statistics_json, statistics_table

    kept = select(load_configuration(config, with_secrets=False), since, opponent)
    found = statistics(kept)
    if plot is not None:
        from bot.archive.plots import draw_statistics

        drawn = draw_statistics(kept, plot)
        typer.echo(f"{drawn} games are drawn in {plot}", err=True)
    typer.echo(statistics_json(found) if json else statistics_table(found), nl=False)
