"""The commands about finished games: `bot88 games | stats | review`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.config_option import ConfigOption, load_configuration

if TYPE_CHECKING:
    from bot.account.kept_games import KeptGame
    from bot.app.archive_tools.review.command import ReviewOptions

SinceOption = Annotated[str, typer.Option(help="12h, 7d or 2w ago, or a date such as 2026-01-31 (UTC); default: all.")]
OpponentOption = Annotated[str, typer.Option(help="Only games with this user.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


def games(
    since: SinceOption = "",
    opponent: OpponentOption = "",
    pgn: Annotated[Path | None, typer.Option(help="Write the games into this new file instead.")] = None,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List the finished games in the store, oldest first, or write them as PGN.

    The table fits the terminal, 80 columns where there is none; --json shortens nothing.
    """
    from bot.app.archive_tools.games_table import games_json, games_table
    from bot.app.archive_tools.selection import select, write_pgn

    found = select(load_configuration(config, with_secrets=False), since, opponent)
    if pgn is not None:
        typer.echo(f"{write_pgn(found, pgn)} of {len(found)} games are in {pgn}", err=json)
    if json:
        typer.echo(games_json(found), nl=False)
    elif pgn is None:
        typer.echo(games_table(found, shutil.get_terminal_size().columns), nl=False)


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

    kept = select(load_configuration(config, with_secrets=False), since, opponent)
    found = statistics(kept)
    if plot is not None:
        from bot.app.archive_tools.stats_plot import draw_statistics

        drawn = draw_statistics(kept, plot)
        typer.echo(f"{drawn} games are drawn in {plot}", err=True)
    typer.echo(statistics_json(found) if json else statistics_table(found), nl=False)


def review(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Ids or addresses of games, or `last`; default: all."),
    ] = None,
    since: SinceOption = "",
    opponent: OpponentOption = "",
    nodes: Annotated[int, typer.Option(min=1, help="Nodes for each position.")] = 100_000,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Engine processes on this machine.")] = 1,
    engine: Annotated[str, typer.Option(help="Name of the entry under `engines:`; default: the first.")] = "",
    scheduler: Annotated[
        str, typer.Option(help="A Dask scheduler whose workers do it, like tcp://10.0.0.1:8786.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results; default: `review` beside the store.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw a chart: .svg, .png or .pdf; replaces the file.")] = None,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Let an engine look at kept games: accuracy by phase, blunders with the better line, where the time went.

    The games are annotated in reviewed.pgn, the positions before our blunders are in lost.epd. Each game is kept when
    it is done: Ctrl-C ends the review, the same command goes on with it.
    """
    from bot.app.archive_tools.plotting import new_figure
    from bot.app.archive_tools.review.command import ReviewOptions, engine_entry
    from bot.app.archive_tools.selection import find_game, select, store_path

    settings = load_configuration(config, with_secrets=False)
    found = select(settings, since, opponent)
    chosen = [find_game(found, wanted) for wanted in games] if games else found
    folder = out or store_path(settings).parent / "review"
    options = ReviewOptions(engine_entry(settings.engines, engine), nodes, jobs, scheduler, folder)
    if plot is not None:
        new_figure(plot)  # what is wrong with it is better said now
    raise typer.Exit(_review(chosen, options, plot, as_json=json))


def _review(games: list[KeptGame], options: ReviewOptions, plot: Path | None, *, as_json: bool) -> int:
    """Review the games and show what was found; returns the exit code."""
    from rich.console import Console

    from bot.app.archive_tools.review import command
    from bot.app.archive_tools.review.review_plot import draw_reviews
    from bot.app.archive_tools.review.summary import summary_json, summary_text
    from bot.app.signals import Stopped, StopSignals
    from bot.log import configure_log, flush_log

    configure_log("warning", "console", None)
    with StopSignals().installed() as signals:
        try:
            reviews = command.review(games, options, signals, Console(stderr=True, highlight=False))
        except Stopped:  # while the engine was compiled
            return 128 + signals.last
    flush_log()
    typer.echo(summary_json(reviews) if as_json else summary_text(reviews), nl=False)
    if plot is not None and reviews:
        draw_reviews(reviews, plot)
    return 128 + signals.last if signals.asked else 0
