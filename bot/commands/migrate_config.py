"""`bot88 migrate-config`: convert a configuration of lichess-bot or BotLi."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.new_file import write_new


def migrate_config(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="lichess-bot's or BotLi's config.yml.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A new file; default: standard output.")] = None,
    with_token: Annotated[bool, typer.Option("--with-token", help="Carry the token over too.")] = False,
) -> None:
    """Convert a configuration of lichess-bot or BotLi; standard error lists what has no counterpart.

    Relative paths become absolute, counted from the folder of FILE.
    """
    from bot.migration.migrate import migrate
    from bot.settings.document import read_file

    migrated, notes = migrate(read_file(file), str(file), file.resolve().parent, with_token=with_token)
    if output is None:
        typer.echo(migrated, nl=False)
    else:
        write_new(output, migrated, mode=0o600)  # it may hold the token
    for note in notes:
        typer.echo(note, err=True)
    if output is not None:
        token = "" if with_token else "put the token into the environment variable BOT88_TOKEN, then "
        say = f"wrote {output}; {token}try: bot88 check {output} --start-up, and play: bot88 run -c {output}"
        typer.echo(say, err=True)
