"""`bot88 league`: let engines play each other on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.lab.league.league import LeagueOptions

PLAYERS = "my_engine.py, my_engine.py:CLASS, engine88:1600 (an Elo) or the command of a UCI engine."


def league(
    engines: Annotated[list[str], typer.Argument(help=PLAYERS)],
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; in each, two games of every pair.")] = 10,
    clock: Annotated[str, typer.Option(help="Seconds for a game and for each move.")] = "10+0.1",
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="Only the first engine against each other one.")] = False,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Games at once on this machine.")] = 1,
    output: Annotated[Path, typer.Option(help="The PGN file; the same command continues a league.")] = Path(
        "league.pgn"
    ),
    scheduler: Annotated[str, typer.Option(help="A Dask scheduler whose workers play, like tcp://10.0.0.1:8786.")] = "",
    browser: Annotated[bool, typer.Option("--browser", help="Show table and boards on a page, too.")] = False,
) -> None:
    """Let engines play each other: a table with ratings, a crosstable, a PGN file, and each engine's faults."""
    from bot.errors import ConfigurationError
    from bot.lab.league.league import LeagueOptions
    from bot.lab.league.schedule import parse_seconds
    from bot.lab.players import parse_players

    if len(engines) < 2:
        raise ConfigurationError("a league needs two engines, such as: bot88 league my_engine.py engine88:1000")
    players = parse_players(engines, slots=concurrency, spares=0)
    options = LeagueOptions(players, rounds, parse_seconds(clock), output, gauntlet, concurrency, scheduler)
    raise typer.Exit(_run(options, browser=browser))


def _run(options: LeagueOptions, *, browser: bool) -> int:
    """Run the league and show it; return the exit code."""
    from rich.console import Console

    from bot.lab.league.league import League
    from bot.lab.league.page import serving
    from bot.lab.league.view import View
    from bot.log import configure_log
    from bot.service.kernels import warm_up
    from bot.service.signals import ExitCode, Stopped, StopSignals

    configure_log("critical")  # faults of engines are part of the table
    console = Console(highlight=False)
    with StopSignals().installed() as signals:
        league = League(options, lambda: signals.asked)
        try:
            if not options.scheduler:
                warm_up([player.entry for player in options.players], Console(stderr=True), signals)
        except Stopped:  # while the engine was compiled
            return 128 + signals.last
        with serving(league.state, enabled=browser) as address, View(console, league.state) as view:
            if address:
                console.print(f"table and boards: {address}")
            league.run(view.changed, view.ended)
        view.summary()
    for problem in league.problems:
        typer.echo(problem, err=True)
    if league.left:
        typer.echo(f"stopped with {len(league.left)} games left; run the same command to continue", err=True)
        return ExitCode.FAILED if league.problems else 128 + signals.last
    typer.echo(f"{options.path}: {len(league.state.games)} games")
    return ExitCode.OK
