"""`bot88 test-engine`: try an engine, or a move generator, on positions with every trap of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from bot.lab.bench.bench import Finding

PERFT = "Instead of an engine: a move generator, as MODULE:FUNCTION or FILE.py:FUNCTION, called with a FEN and a depth."
ENGINE = "my_engine.py, my_engine.py:CLASS, engine88 or the command of a UCI engine."
_MOST_SHOWN = 5  # findings of one part


def bench(
    engine: Annotated[str, typer.Argument(help=ENGINE)] = "",
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
    configure_log("critical")  # the findings tell it
    console = Console(highlight=False, soft_wrap=True)
    found = _test_perft(perft, console) if perft else _test(engine, positions, seed, console)
    raise typer.Exit(1 if found else 0)


def _test(engine: str, positions: int, seed: int, console: Console) -> int:
    """Run the bench; return the number of findings."""
    from bot.lab.bench.bench import run_bench
    from bot.lab.players import parse_player

    total = 0
    with console.status("starting the engine") as status:
        for stage in run_bench(parse_player(engine, slots=1, spares=0), positions, seed, status.update):
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
