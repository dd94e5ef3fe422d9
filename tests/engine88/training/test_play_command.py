"""`python -m engine88.training play`: a file of games, continued after it was ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import chess
import psutil
import pytest

from engine88.training.__main__ import main
from engine88.training.game_file import read_games
from tests.engine88.fresh_process import ROOT
from tests.engine88.games import compiled_only
from tests.engine88.training.random_games import uci
from tests.helpers.processes import wait_until

SMALL = ["--soft", "60", "--hard", "200", "--workers", "0", "--run", "test"]


MANY = 150
"""Games that take some seconds."""


COMMAND = """
import signal, sys
from engine88.training.__main__ import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start without it
sys.exit(main())
"""


def play(path: Path, games: int, *more: str) -> int:
    return main(["play", str(path), "--games", str(games), *SMALL, *more])


@compiled_only("it plays whole games")
def test_games_are_played_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, cut = tmp_path / "whole.games", tmp_path / "cut.games"
    assert play(whole, 4) == 0
    games = list(read_games(whole))
    assert len(games) == 4
    for game in games:
        board = chess.Board(game.fen)
        for code in game.moves:
            board.push_uci(uci(board, int(code)))
    assert "whole.games: 4 games" in capsys.readouterr().err
    assert json.loads((tmp_path / "whole.json").read_text(encoding="utf-8"))["made_with"]["run"] == "test"
    assert play(cut, 2) == 0
    cut.write_bytes(cut.read_bytes()[:-5])
    assert play(cut, 4) == 0
    assert cut.read_bytes() == whole.read_bytes()
    assert "cut.games: going on after 1 games" in capsys.readouterr().err
    assert play(cut, 4) == 0, "nothing is left to do"
    assert cut.read_bytes() == whole.read_bytes()


def begin(path: Path, workers: str, games: int = MANY) -> subprocess.Popen[str]:
    """A run in a process of its own that has written its first game and has many to go."""
    command = [sys.executable, "-c", COMMAND, "play", str(path), "--games", str(games), *SMALL]
    process = subprocess.Popen([*command, "--workers", workers], stderr=subprocess.PIPE, text=True)
    assert wait_until(lambda: path.exists() and path.stat().st_size > 0, timeout_s=240)
    return process


@pytest.fixture(name="uninterrupted", scope="module")
def _uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "whole.games"
    assert play(path, MANY) == 0
    return path.read_bytes()


@pytest.mark.slow
@compiled_only("it plays whole games")
def test_a_run_that_is_killed_is_gone_on_with(tmp_path: Path, uninterrupted: bytes) -> None:
    path = tmp_path / "killed.games"
    with begin(path, "0", 100_000) as process:
        process.kill()
    wanted = len(list(read_games(path))) + 5
    assert play(path, wanted) == 0
    assert len(list(read_games(path))) == wanted
    common = min(len(uninterrupted), path.stat().st_size)
    assert path.read_bytes()[:common] == uninterrupted[:common]


@compiled_only("it plays whole games")
def test_ctrl_c_ends_a_run_in_one_line(tmp_path: Path) -> None:
    with begin(tmp_path / "a.games", "0", 100_000) as process:
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=120)
    assert (told, process.returncode) == ("play: stopped; run the same command to continue\n", 130)


@compiled_only("it plays whole games")
def test_sigterm_ends_a_run_like_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    command = [sys.executable, "-m", "engine88.training", "play", str(path), "--games", "100000", *SMALL]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert wait_until(lambda: path.exists() and path.stat().st_size > 0, timeout_s=240)
        process.terminate()
        _, told = process.communicate(timeout=120)
    assert (told, process.returncode) == ("play: stopped; run the same command to continue\n", 130)


@compiled_only("it plays whole games")
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ctrl_c_ends_a_cluster_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with begin(tmp_path / "a.games", "2", 100_000) as process:
        for child in [process.pid, *(child.pid for child in psutil.Process(process.pid).children(recursive=True))]:
            os.kill(child, signal.SIGINT)  # as a terminal does
        _, told = process.communicate(timeout=240)
    assert (told, process.returncode) == ("play: stopped; run the same command to continue\n", 130)


@compiled_only("it plays whole games")
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_cluster_of_two_of_which_one_is_killed_ends_complete(tmp_path: Path, uninterrupted: bytes) -> None:
    pytest.importorskip("distributed")
    path = tmp_path / "cluster.games"
    with begin(path, "2") as process:
        workers = [
            child
            for child in psutil.Process(process.pid).children(recursive=True)
            if "spawn_main" in " ".join(child.cmdline())
        ]
        assert len(workers) == 2
        assert len(list(read_games(path))) < MANY
        workers[0].kill()
        _, told = process.communicate(timeout=800)
    assert process.returncode == 0, told
    assert f"{MANY} games" in told
    assert path.read_bytes() == uninterrupted


@compiled_only("it plays whole games")
def test_a_run_without_a_name_gets_one_that_it_keeps(tmp_path: Path) -> None:
    names = set()
    for number in range(2):
        path = tmp_path / f"{number}.games"
        for games in ("1", "2"):
            assert main(["play", str(path), "--games", games, *SMALL[:-2]]) == 0
        names.add(json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["made_with"]["run"])
        assert len(list(read_games(path))) == 2
    assert len(names) == 2


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--hard", "10"], "--hard must be 60 or more, not 10"),
        (["--games", "0"], "--games must be 1 or more, not 0"),
        (["--book-share", "2"], "--book-share must be from 0 to 1"),
        (["--books", "gone.epd"], "gone.epd"),
        (["--network", "gone.npz"], "gone.npz: no such network file"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], problem: str
) -> None:
    assert play(tmp_path / "a.games", 1, *more) == 1
    told = capsys.readouterr().err
    assert told.startswith("play: ")
    assert problem in told
    assert told.count("\n") == 1
    assert not (tmp_path / "a.games").exists()
