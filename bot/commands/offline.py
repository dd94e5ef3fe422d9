"""`bot88 offline`: play whole games on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import ENGINE_FORMS

OPPONENTS = """random, greedy, scripted:FILE, my_engine.py, engine88:1200 (an Elo), engine:COMMAND, or
engine1:COMMAND to engine8:COMMAND by strength."""
ENGINE = f"The bot's engine: {ENGINE_FORMS}"
CLOCK = "Minutes and increment in seconds, such as 0.5+0 or 3+2."
VARIANTS = """standard, chess960, antichess, atomic, crazyhouse, horde, kingOfTheHill, racingKings or threeCheck; the
engine must play it. engine88 plays the first two."""
LEVELS = "The bot's strength: an Elo from 100 to 4000, beginner, easy, medium, hard, expert or full."
FAULTS = "calm, flaky, storm, deploy, crash or a YAML file."
ADDRESS = "Address for board and dashboard; 0.0.0.0: all of them."
OfflineConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="Configuration file; default: config/offline.yml.")
]


def offline(
    games: Annotated[int | None, typer.Option(min=1, help="Games to play; default 1.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=200, help="Games at once.")] = 1,
    clock: Annotated[str, typer.Option(metavar="MIN+SEC", help=CLOCK)] = "0.5+0",
    opponent: Annotated[str, typer.Option(metavar="WHO", help=OPPONENTS)] = "greedy",
    engine: Annotated[str, typer.Option(metavar="ENGINE", help=ENGINE)] = "",
    variant: Annotated[str, typer.Option(metavar="VARIANT", help=VARIANTS)] = "standard",
    level: Annotated[str, typer.Option(metavar="LEVEL", help=LEVELS)] = "",
    seed: Annotated[int | None, typer.Option(help="For colours, opponents and faults.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a game on standard output.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Serve a board to play on, until Ctrl-C.")] = False,
    faults: Annotated[str, typer.Option(metavar="NAME|FILE", help=FAULTS)] = "calm",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the built-in Lichess; 0: a free one.")] = 0,
    bind: Annotated[str, typer.Option(metavar="ADDRESS", help=ADDRESS)] = "127.0.0.1",
    config: OfflineConfigOption = None,
) -> None:
    """Play whole games against a built-in Lichess on this machine."""
    given = dict(locals())  # the options by name, as OfflineOptions has them
    from bot.offline import OfflineOptions, parse_clock, play_offline

    given |= {"games": games if games is not None else (0 if browser else 1), "clock": parse_clock(clock)}
    raise typer.Exit(play_offline(OfflineOptions(**given)))
