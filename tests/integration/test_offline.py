"""`bot88 offline` as a process: whole games over HTTP, reported as JSON, as PGN, and by the exit code."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
import yaml

from tests.helpers.engines import tiny_engine
from tests.helpers.playing import BY_THE_RULES
from tests.helpers.processes import is_running, wait_until

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 280.0


def offline(*arguments: str, config: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bot", "offline", *arguments]
    if config:
        command += ["--config", str(config)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def tiny_config(folder: Path) -> Path:
    """The shipped configuration with a tiny engine, which needs no kernels."""
    content = yaml.safe_load((ROOT / "config" / "offline.yml").read_text(encoding="utf-8"))
    content["engines"] = [{"name": "tiny", "command": list(tiny_engine()), "slots": 8}]
    path = folder / "tiny.yml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def replay(game: dict[str, Any]) -> chess.Board:
    """The end of a game; every move is checked again."""
    board = chess.Board()
    for uci in game["moves"]:
        board.push_uci(uci)
    return board


def test_our_engine_plays_a_whole_game() -> None:
    done = offline("--clock", "0.3+0.1", "--opponent", "random", "--seed", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    game = chess.pgn.read_game(io.StringIO(done.stdout[done.stdout.index("[Event") :]))
    assert game is not None
    assert game.errors == []
    assert game.end().board().is_game_over(claim_draw=True)
    assert "every game ended well" in done.stdout


@pytest.mark.slow
def test_json_tells_each_game_and_the_sum(tmp_path: Path) -> None:
    words = "--games 4 --concurrency 2 --clock 0.5+0 --opponent random --seed 3 --json"
    done = offline(*words.split(), config=tiny_config(tmp_path))
    *games, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(games) == 4
    for game in games:
        assert replay(game).is_game_over(claim_draw=True)
        assert (game["plies"], game["lost_on_time"], game["illegal_moves"]) == (len(game["moves"]), False, 0)
        assert game["status"] in BY_THE_RULES
    assert {game["bot_color"] for game in games} == {"white", "black"}
    assert (summary["games"], summary["illegal_moves"], summary["lost_on_time"]) == (4, 0, 0)
    assert done.returncode == 0


@pytest.mark.slow
def test_an_engine_that_plays_illegal_moves_is_replaced_and_the_game_ends_well(tmp_path: Path) -> None:
    content = yaml.safe_load(tiny_config(tmp_path).read_text(encoding="utf-8"))
    content["engines"][0]["command"] = list(tiny_engine("illegal"))
    path = tmp_path / "bad.yml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    done = offline("--clock", "0.5+0", "--json", config=path)
    *games, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert summary["ended_well"]
    assert [game["illegal_moves"] for game in games] == [0]


def read_page(url: str) -> bytes:
    """The body of an answer."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        body: bytes = answer.read()
    return body


def test_the_browser_mode_serves_until_interrupted(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "bot", "offline", "--browser"]
    command += ["--config", str(tiny_config(tmp_path))]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[1]
            assert wait_until(lambda: b"bot88" in read_page(f"{url}/api/bot/online"))
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.send_signal(signal.SIGABRT)  # gone already, unless it hangs: then its threads are shown
    assert wait_until(lambda: not is_running(process.pid))
