"""`bot88 init`: write a commented configuration to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import DEFAULT_CONFIG
from bot.new_file import write_new

_DATA_BESIDE_CONFIG = "../data/"

NewPath = Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]


def init(path: NewPath = DEFAULT_CONFIG, force: ForceOption = False) -> None:
    """Write a commented configuration to start from; an existing file is left alone."""
    write_configuration(path, overwrite=force)
    typer.echo(f"wrote {path}; now put the token into the environment variable BOT88_TOKEN and try: bot88 check {path}")


def write_configuration(path: Path, *, overwrite: bool = False) -> None:
    """Write the commented configuration and, beside it, the JSON schema that its first line names for editors.

    The data folder is next to a folder named `config`, else next to the file.

    Raises ConfigurationError where the file exists, unless `overwrite`, or cannot be written.
    """
    from bot.settings.reference import SCHEMA_FILE, configuration_text, schema_text

    text = configuration_text()
    if path.resolve().parent.name != "config":
        text = text.replace(_DATA_BESIDE_CONFIG, "data/")
    write_new(path, text, remedy="give another path, or --force to overwrite it", overwrite=overwrite)
    write_new(path.with_name(SCHEMA_FILE), schema_text(), overwrite=True)
