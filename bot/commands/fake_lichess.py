"""`bot88 fake-lichess`: serve the built-in Lichess alone."""

from __future__ import annotations

import typer

#: The command reads its arguments itself, as the distribution `fake-lichess` does.
CONTEXT = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def fake_lichess(context: typer.Context) -> None:
    """Serve the built-in Lichess alone, for any bot: give it the printed address and a printed token."""
    from bot.fake_lichess.cli import main

    raise typer.Exit(main(context.args, prog="bot88 fake-lichess"))
