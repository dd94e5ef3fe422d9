"""`bot88 replay`: shows a kept game; `bot88 replay-stream`: feeds a recorded one through the game's code, offline."""

from __future__ import annotations

import pydoc
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.config_option import ConfigOption, load_configuration


def replay_stream(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record made by `bot88 run --record DIR`.")],
    config: ConfigOption = None,
    speed: Annotated[
        float, typer.Option(min=0, help="1: with the pauses of the record, 10: ten times as fast; 0: without any.")
    ] = 0.0,
) -> None:
    """Feed a recorded game through the code of today, without server and engines: lines, requests, the outcome.

    The configuration should be the one it was recorded with. The exit code is 1 where a request differs.
    """
    from bot.app.recording.record import read_record
    from bot.app.recording.replay import replay
    from bot.log import configure_log, flush_log

    settings = load_configuration(config)
    configure_log("warning", "console", None, secret=settings.token)
    record = read_record(file)
    replayed = replay(record, settings, lambda at_s, text: typer.echo(f"{at_s:9.3f}  {text}"), speed=speed)
    flush_log()
    typer.echo(str(replayed))
    raise typer.Exit(1 if replayed.differences else 0)


def replay(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Id or address of a kept game, or `last`.")],
    config: ConfigOption = None,
    ply: Annotated[
        int | None, typer.Option(help="Show the board after so many half-moves instead; -1: the last position.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    pgn: Annotated[bool, typer.Option("--pgn", help="The PGN as it was kept.")] = False,
) -> None:
    """Show a game of the archive with clocks, scores, depths and what chose the moves; scores are from White's side."""
    from bot.app.archive_tools.played_game import played_game
    from bot.app.archive_tools.replay_view import board_text, replay_json, replay_text
    from bot.app.archive_tools.selection import find_game, select

    kept = find_game(select(load_configuration(config, with_secrets=False), "", ""), game)
    if pgn:
        typer.echo(kept.pgn)
        return
    played = played_game(kept)
    text = replay_json(played) if json else replay_text(played) if ply is None else board_text(played, ply)
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        pydoc.pager(text)
    else:
        typer.echo(text, nl=False)
