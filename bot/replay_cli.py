"""`bot88 replay-stream`: feeds a recorded game through the game's code, offline."""

from __future__ import annotations

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
