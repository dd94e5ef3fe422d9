"""Hooks of mkdocs: links to files outside docs/ become plain text, and the page of the commands shows their help."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import typer.main

from bot.cli import app

_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return the page's text without links to the outside, and with the help that it asks for."""
    if page.file.src_uri == "commands.md":
        markdown += "".join(_commands())
    return _OUTSIDE.sub(r"`\1`", markdown)


def _commands() -> Iterator[str]:
    """Yield a section for each command."""
    names = typer.main.get_command(app).commands
    for name in names:
        yield _section(f"bot88 {name}", "bot", name)
    yield _section("fake-lichess", "bot.fake_lichess")
    yield _section("engine88", "engine88")


def _section(title: str, module: str, *words: str) -> str:
    """Return a heading and what `--help` prints."""
    command = [sys.executable, "-m", module, *words, "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return f"\n## {title}\n\n```text\n{shown.strip()}\n```\n"
