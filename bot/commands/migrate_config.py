"""`bot88 migrate-config`: convert a configuration of lichess-bot or BotLi."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.errors import ConfigurationError


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
        _write_new(output, migrated)
    for note in notes:
        typer.echo(note, err=True)
    if output is not None:
        token = "" if with_token else "put the token into the environment variable BOT88_TOKEN, then "
        say = f"wrote {output}; {token}try: bot88 check {output} --start-up, and play: bot88 run -c {output}"
        typer.echo(say, err=True)


def _write_new(path: Path, text: str) -> None:
    """Write a new file that only its owner may read, since it may hold the token."""
    try:
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise ConfigurationError(f"{path}: exists already; name a new file, or remove it first") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error}") from error
