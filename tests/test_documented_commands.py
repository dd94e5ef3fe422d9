"""The commands in the documents: each exists with the options shown."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.control.commands import parse_command

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / ".ci").glob("*/README.md")),
]
OURS = re.compile(
    r"^(?:\.venv/bin/)?(?:(bot88|engine88|fake-lichess)(?= |$)"
    r"|python (?:-m )?((?:benchmarks|bot|engine88|tests)[\w./]*))"
)
MODULES = {"bot88": "bot", "engine88": "engine88", "fake-lichess": "bot.fake_lichess"}
WITH_SUBCOMMANDS = {"bot", "engine88.training"}


def commands() -> list[str]:
    """Every command of ours in a code block or in a line of text."""
    found = set()
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        for block, inline in re.findall(r"^ {4,}(\S.*)$|`([^`\n]+)`", text, re.MULTILINE):
            command = re.split(r"\s+(?:#|&&|<|\|)\s", block or inline)[0].strip()
            if OURS.match(command):
                found.add(command)
    return sorted(found)


def parts(command: str) -> tuple[str, list[str]]:
    """Return the module that runs a command, and its words."""
    match = OURS.match(command)
    assert match is not None
    module = MODULES.get(match[1] or "", (match[2] or "").removesuffix(".py").replace("/", "."))
    words = shlex.split(command.removeprefix(match.group()), posix=True)
    return module, words


@functools.cache
def help_of(module: str, subcommand: str) -> str:
    """Return what a command's `--help` prints."""
    words = [*filter(None, [subcommand]), "--help"]
    if module == "bot" and subcommand != "fake-lichess":
        shown = CliRunner().invoke(app, words, terminal_width=200)
        assert shown.exit_code == 0, f"bot88 {' '.join(words)}: {shown.output}"
        return shown.output
    command = [sys.executable, "-m", module, *words]
    environ = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_command_exists_with_its_options() -> None:
    assert len(commands()) > 80
    wrong = []
    for command in commands():
        module, words = parts(command)
        subcommand = (
            words[0] if module in WITH_SUBCOMMANDS and words and re.fullmatch(r"[a-z][a-z-]*", words[0]) else ""
        )
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} - {"--help"}
        if module == "benchmarks.NAME" or subcommand == "ctl":
            continue
        if subcommand or options:
            shown = help_of(module, subcommand)
            wrong += [f"{command}: {name}" for name in options if not re.search(rf"(?<![\w-]){name}(?![\w-])", shown)]
        elif importlib.util.find_spec(module) is None:
            wrong.append(command)
    assert wrong == []


def test_every_command_to_a_running_bot_is_understood() -> None:
    words = [words[1:] for module, words in map(parts, commands()) if module == "bot" and words[:1] == ["ctl"]]
    said = [words for words in words if words and words != ["COMMAND"]]
    assert len(said) > 2
    for command in said:
        parse_command(command)
