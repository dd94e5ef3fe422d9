"""`bot88 fake-lichess`: serve the built-in Lichess alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def fake_lichess(
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; default: a free one.")] = None,
    bind: Annotated[str | None, typer.Option(help="Address to listen on; default 127.0.0.1.")] = None,
    faults: Annotated[str | None, typer.Option(help="calm, flaky, storm, deploy, crash or a YAML file.")] = None,
    config: Annotated[Path | None, typer.Option("--config", "-c", help="YAML file with accounts and rules.")] = None,
    seed: Annotated[int | None, typer.Option(help="For colours, ids, opponents and faults.")] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="NAME=TOKEN", help="A BOT account; repeatable.")] = None,
    people: Annotated[int | None, typer.Option(min=0, help="How many persons there are to play as.")] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]KIND",
            help="An account that the server plays: random, greedy, scripted:FILE, engine3:COMMAND; repeatable.",
        ),
    ] = None,
    scenario: Annotated[
        Path | None, typer.Option(help="YAML file: challenge a bot, check what happened, exit with 0 or 1.")
    ] = None,
) -> None:
    """Serve the built-in Lichess alone, for any bot: give it the printed address and a printed token.

    docs/fake-lichess.md has the endpoints, faults, scenarios and the pytest plugin.
    """
    from bot.fake_lichess.cli import serve

    options = {"bots": bot or (), "opponents": opponent or ()}
    raise typer.Exit(serve(port, bind, faults, config, seed, people=people, scenario=scenario, **options))
