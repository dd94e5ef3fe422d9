"""`bot88 replay`: show a finished game."""

from __future__ import annotations

import os
import pydoc
import shutil
import sys
from typing import Annotated

import typer

from bot.commands.options import ConfigOption, load_configuration


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
    from bot.archive.listing import find_game
    from bot.archive.pgn import played_game
    from bot.archive.replay_view import board_text, replay_json, replay_text
    from bot.play.game_log import shows_figures

    kept = find_game(load_configuration(config, with_secrets=False), game)
    if pgn:
        typer.echo(kept.pgn)
        return
    played = played_game(kept)
    figures = shows_figures(sys.stdout.encoding, os.environ.get("TERM"))
    if json:
        text = replay_json(played)
    elif ply is None:
        text = replay_text(played, figures=figures)
    else:
        text = board_text(played, ply, figures=figures and sys.stdout.isatty())
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        pydoc.pager(text)
    else:
        typer.echo(text, nl=False)
