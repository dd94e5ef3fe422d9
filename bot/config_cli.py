"""The commands about configuration files themselves: `bot88 schema`."""

from __future__ import annotations

import typer


def schema() -> None:
    """Print the JSON Schema of the configuration, for editors."""
    from bot.settings import schema_text

    typer.echo(schema_text(), nl=False)
