"""`bot88 new-engine`: write an engine of one's own to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

NewEnginePath = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as my_engine.py.")]


def new_engine(path: NewEnginePath = Path("my_engine.py")) -> None:
    """Write an engine in Python to start from: alpha-beta, material, time management, and its tests."""
    from bot.lab.new_engine import write_engine

    tests = write_engine(path)
    typer.echo(f"wrote {path} and {tests}\n")
    typer.echo(f"bot88 offline --engine {path} --browser      # play against it")
    typer.echo(f"bot88 test-engine {path}                     # test it")
    typer.echo(f"bot88 league {path} engine88:1000 --rounds 5  # measure it")
