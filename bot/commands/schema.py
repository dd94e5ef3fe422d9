"""`bot88 schema`: print the JSON Schema of the configuration."""

from __future__ import annotations

import typer


def schema() -> None:
    """Print the JSON Schema of the configuration, for editors."""
    from bot.settings.reference import schema_text

    typer.echo(schema_text(), nl=False)
