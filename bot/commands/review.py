"""`bot88 review`: analyse finished games with an engine."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.options import ConfigOption, JsonOption, OpponentOption, SinceOption, load_configuration

if TYPE_CHECKING:
    from bot.archive.game_record import GameRecord
    from bot.archive.review.command import ReviewOptions


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
    """Analyse stored games with an engine: accuracy by phase, blunders with the better line, use of time.

    The annotated games are in reviewed.pgn, the positions before our blunders in lost.epd. Each finished review is
    stored: after Ctrl-C, run the same command to continue.
    """
    from bot.archive.listing import find_game, select, store_path
    from bot.archive.plots import new_figure
    from bot.archive.review.command import ReviewOptions, engine_entry

    settings = load_configuration(config, with_secrets=False)
    if games:
        chosen = [find_game(settings, wanted) for wanted in games]
    else:
        chosen = select(settings, since, opponent, with_pgn=True)
    folder = out or store_path(settings).parent / "review"
    options = ReviewOptions(engine_entry(settings.engines, engine), nodes, jobs, scheduler, folder)
    if plot is not None:
        new_figure(plot)  # what is wrong with it is better said now
    raise typer.Exit(_review(chosen, options, plot, as_json=json))


def _review(games: list[GameRecord], options: ReviewOptions, plot: Path | None, *, as_json: bool) -> int:
    """Review the games and show the result; return the exit code."""
    from rich.console import Console

    from bot.archive.plots import draw_reviews
    from bot.archive.review import command
    from bot.archive.review.summary import summary_json, summary_text
    from bot.log import configure_log, flush_log
    from bot.service.kernels import warm_up
    from bot.service.signals import Stopped, StopSignals

    configure_log("warning", "console", None)
    with StopSignals().installed() as signals:
        try:
            console = Console(stderr=True, highlight=False)
            prepare_engine = functools.partial(warm_up, [options.entry], console, signals)
            reviews = command.review(games, options, lambda: signals.asked, console, prepare_engine)
        except Stopped:  # while the engine was compiled
            return 128 + signals.last
    flush_log()
    typer.echo(summary_json(reviews) if as_json else summary_text(reviews), nl=False)
    if plot is not None and reviews:
        draw_reviews(reviews, plot)
    return 128 + signals.last if signals.asked else 0
