"""`bot88 new-engine`, `test-engine` and `league`, for people who write their own engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.options import ENGINE_FORMS

if TYPE_CHECKING:
    from rich.console import Console

    from bot.lab.bench.bench import Finding
    from bot.lab.league.league import LeagueOptions

NewEnginePath = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as my_engine.py.")]


def new_engine(path: NewEnginePath = Path("my_engine.py")) -> None:
    """Write an engine in Python to start from: alpha-beta, material, time management, and its tests."""
    from bot.lab.new_engine import write_engine

    tests = write_engine(path)
    typer.echo(f"wrote {path} and {tests}\n")
    typer.echo(f"bot88 offline --engine {path} --browser      # play against it")
    typer.echo(f"bot88 test-engine {path}                     # test it")
    typer.echo(f"bot88 league {path} engine88:1000 --rounds 5  # measure it")


PERFT = "Instead of an engine: a move generator, as MODULE:FUNCTION or FILE.py:FUNCTION, called with a FEN and a depth."
_MOST_SHOWN = 5  # findings of one part


def bench(
    engine: Annotated[str, typer.Argument(help=ENGINE_FORMS)] = "",
    positions: Annotated[int, typer.Option(min=1, help="Positions in which its move must be legal.")] = 1000,
    seed: Annotated[int, typer.Option(help="For the positions.")] = 0,
    perft: Annotated[str, typer.Option(help=PERFT)] = "",
) -> None:
    """Test an engine: legal moves, mates, clocks, a long game, memory. Exit code 1 if something is wrong."""
    from rich.console import Console

    from bot.errors import ConfigurationError
    from bot.log import configure_log

    if bool(engine) == bool(perft):
        raise ConfigurationError("give an engine, such as my_engine.py, or --perft MODULE:FUNCTION")
    configure_log("critical")  # the findings show it
    console = Console(highlight=False, soft_wrap=True)
    found = _test_perft(perft, console) if perft else _test(engine, positions, seed, console)
    raise typer.Exit(1 if found else 0)


def _test(engine: str, positions: int, seed: int, console: Console) -> int:
    """Run the bench; return the number of findings."""
    from rich.console import Console

    from bot.lab.bench.bench import run_bench
    from bot.lab.players import parse_player
    from bot.service.kernels import warm_up
    from bot.service.signals import StopSignals

    player = parse_player(engine, slots=1, spares=0)
    warm_up([player.entry], Console(stderr=True), StopSignals())
    total = 0
    with console.status("starting the engine") as status:
        for stage in run_bench(player, positions, seed, status.update):
            console.print(f"{'ok ' if not stage.findings else 'BAD'}  {stage.name}: {stage.summary}", markup=False)
            for finding in stage.findings[:_MOST_SHOWN]:
                _show(finding, console)
            if len(stage.findings) > _MOST_SHOWN:
                console.print(f"     ... and {len(stage.findings) - _MOST_SHOWN} more")
            total += len(stage.findings)
    console.print("nothing is wrong" if not total else f"{total} findings")
    return total


def _test_perft(spec: str, console: Console) -> int:
    from bot.lab.bench.perft import compare, load_function

    function = load_function(spec)
    with console.status("perft") as status:
        finding = compare(function, Path.cwd(), status.update)
    if finding is None:
        console.print("ok   all positions have the moves of python-chess")
        return 0
    _show(finding, console)
    return 1


def _show(finding: Finding, console: Console) -> None:
    """Print a finding with its position."""
    console.print(f"\n     {finding.text}\n     {finding.expected}", markup=False)
    if finding.board is not None:
        side = "White" if finding.board.turn else "Black"
        console.print(f"     {side} to move: {finding.board.fen()}", markup=False)
        for line in finding.board.unicode(invert_color=True, empty_square="·").splitlines():
            console.print(f"       {line}", markup=False)
    console.print()


def league(
    engines: Annotated[list[str], typer.Argument(help=ENGINE_FORMS)],
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
    raise typer.Exit(_run_league(options, browser=browser))


def _run_league(options: LeagueOptions, *, browser: bool) -> int:
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
            league.run(view.ended)
        view.summary()
    for problem in league.problems:
        typer.echo(problem, err=True)
    if league.left:
        typer.echo(f"stopped with {len(league.left)} games left; run the same command to continue", err=True)
        return ExitCode.FAILED if league.problems else 128 + signals.last
    typer.echo(f"{options.path}: {len(league.state.games)} games")
    return ExitCode.OK
