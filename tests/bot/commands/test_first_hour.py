"""An owner's first hour: the documents' commands run as written.

In a file of its own, early by name: pytest-xdist begins the files with the fewest tests last, in the order of names,
and of these it takes the longest.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.running_bot import ROOT


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_an_owners_first_hour(tmp_path: Path) -> None:
    """What README, docs/first-bot.md, docs/archive.md and docs/your-engine.md let a reader type, with shorter games."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "BOT88_TOKEN": "lip_x", "BOT88__DASHBOARD__ENABLED": "false"}

    def run(command: str) -> str:
        words = [sys.executable, "-m", "bot", *shlex.split(command)]
        done = subprocess.run(words, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout} {done.stderr}"
        return done.stdout

    run("init")
    assert "bot88.yml" in run("check")
    run("new-engine my_engine.py")
    run("test-engine my_engine.py")
    run("league my_engine.py engine88:1000 --rounds 1 --clock 1+0.1")
    environ["BOT88__STORE"] = str(tmp_path / "games.sqlite3")
    run("offline --engine my_engine.py --clock 0.25+0 --opponent random")
    run("offline --games 2 --concurrency 2 --clock 0.25+0 --opponent random")
    assert len(json.loads(run("games --json"))["games"]) == 3
    run("games --since 7d --pgn out.pgn")
    run("stats")
    run("stats --json --since 30d")
    run("replay last --ply 1")
    run("replay last --json")
    assert "accuracy" in run("review last --nodes 500")
    run("backup games.zip")
