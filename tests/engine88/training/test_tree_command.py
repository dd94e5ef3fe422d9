"""Positions of search trees, in processes of their own: searches record nothing elsewhere."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
import pytest

from engine88.compiler.cache_folder import PACKAGE
from engine88.training import tree_command
from engine88.training.__main__ import main
from engine88.training.game_file import game_bytes
from engine88.training.positions import Samples, read_samples_file
from engine88.training.replay import SAMPLE_TYPE
from engine88.training.selfplay.player import SharedNetwork
from engine88.training.tree_command import TreeSettings, TreeWalker
from tests.engine88.training.random_games import random_game
from tests.engine88.training.test_positions import unpacked

RECORDING = """
import numpy as np
from engine88.board.record import copy_board
from engine88.compiler.tunable import tunables
from engine88.rules.position import Position
from engine88.training.selfplay.deepen import Searching, deepen

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
tunables().values[:] = 5
searching, position = Searching(1, None), Position.from_fen(FEN)
searching.clear()
state = searching.memory.state
deepen(copy_board(position.board), searching.memory, 400, 400)
for plies, moves in zip(state.recorded_plies[: state.recorded_count], state.recorded_moves):
    now, names = position, []
    for move in moves[:plies]:
        names.append(now.move_name(int(move)))
        now = now.push(names[-1])
    print(*names)
"""


def recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let child processes record, in plain Python: they search little, and a compilation would take a minute."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))


def games(folder: Path, *seeds: int) -> Path:
    path = folder / "some.games"
    path.write_bytes(b"".join(game_bytes(random_game(seed, plies=4)) for seed in seeds))
    return path


def tree(folder: Path, *words: str) -> int:
    limits = ["--nodes", "20", "--every", "20", "--soft", "4", "--hard", "8", "--network", "none", "--workers", "0"]
    return main(["tree", str(folder / "some.games"), "--out", str(folder / "a.npy"), "--share", "0.8", *limits, *words])


@pytest.mark.slow
def test_lines_to_evaluated_positions_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recording(monkeypatch)
    environment = {**os.environ, "ENGINE88_TUNABLE": "engine88.search.recording"}
    command = [sys.executable, "-c", RECORDING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) > 20
    assert len({len(line) for line in lines}) > 2, "of several depths"
    for line in lines:
        board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
        for name in line:
            board.push_uci(name)  # raises for an illegal move
        assert not board.is_check(), "in check nothing is evaluated"


@pytest.mark.slow
def test_samples_of_all_games_but_those_held_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording(monkeypatch)
    games(tmp_path, 4, 5, 9, 10)  # random moves that leave nothing to capture: plain Python searches these in seconds
    assert tree(tmp_path, "--max-score", "600") == 0
    samples: Samples = read_samples_file(tmp_path / "a.npy")
    assert len(samples) > 3
    assert set(samples["result"].tolist()) == {3}
    assert abs(samples["score_cp"]).max() <= 600
    assert len({tuple(sorted(unpacked(sample).items())) for sample in samples}) == len(samples)
    assert tree(tmp_path, "--max-score", "600") == 0
    assert read_samples_file(tmp_path / "a.npy").tobytes() == samples.tobytes(), "the same once more"
    assert tree(tmp_path, "--seed", "2") == 0
    assert read_samples_file(tmp_path / "a.npy").tobytes() != samples.tobytes()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--share", "0"), "--share must be above 0"),
        (("--every", "0"), "--every must be 1 or more"),
        (("--nodes", "0"), "--nodes must be 1 or more"),
        (("--soft", "9"), "--soft must be from 1 to --hard (8)"),
        (("--network", "gone.npz"), "gone.npz"),
    ],
)
def test_what_makes_no_sense_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    told: str,
) -> None:
    recording(monkeypatch)
    games(tmp_path, 1)
    assert tree(tmp_path, *words) == 1
    assert told in capfd.readouterr().err
    assert not (tmp_path / "a.npy").exists()


def test_files_without_a_game_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    recording(monkeypatch)
    games(tmp_path)
    assert tree(tmp_path) == 1
    assert "no whole game to learn from in" in capfd.readouterr().err


def test_what_was_made_before_ctrl_c_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> Iterator[Samples]:
        yield np.zeros(2, SAMPLE_TYPE)
        raise KeyboardInterrupt

    monkeypatch.setattr(tree_command, "in_order", stopped)
    parser = argparse.ArgumentParser()
    tree_command.add_arguments(parser)
    out = tmp_path / "a.npy"
    words = [str(games(tmp_path, 1, 2)), "--out", str(out), "--network", "none", "--workers", "0"]
    assert tree_command.run(parser.parse_args(words)) == 130
    assert len(read_samples_file(out)) == 1, "the same position twice"


def test_an_ordinary_process_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"ENGINE88_TUNABLE=engine88\.search\.recording"):
        TreeWalker(TreeSettings(), SharedNetwork())
