"""The moves that a search chooses: which positions count, what is searched and judged, and what follows from it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import chess
import numpy as np
import pytest

from benchmarks.chosen_moves import LEVEL_CP, MOST_LOSS, NODES, main, position_of, rows
from engine88.training.game_file import Game, game_bytes, pack_move
from tests.engine88.fresh_process import ROOT

MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
START = chess.STARTING_FEN


def game(score_cp: int = 20, moves: list[str] = MOVES) -> Game:
    packed = np.array([pack_move(move) for move in moves], np.uint16)
    return Game(START, 1, packed, np.full(len(moves), score_cp, np.int16))


def test_a_position_is_drawn_from_all_of_a_game() -> None:
    chooser = random.Random(1)
    found = {position_of(game(), chooser) for _ in range(100)}
    assert len(found) == len(MOVES)
    assert START in found


def test_decided_positions_only_moves_and_empty_games_are_left_out() -> None:
    chooser = random.Random(1)
    assert position_of(game(moves=[]), chooser) is None
    assert position_of(game(score_cp=LEVEL_CP + 1), chooser) is None
    only = Game("7k/8/8/8/8/8/6q1/7K w - - 0 1", 1, np.array([pack_move("h1g2")], np.uint16), np.zeros(1, np.int16))
    assert position_of(only, chooser) is None


def test_the_values_of_moves_are_bounded_and_less_their_mean() -> None:
    found = rows(
        {"moves": ["a", "b", "c", "c"], "seconds": [[0], [1], [1], [0]], "scores": {"a": 0, "b": -3, "c": -900}}
    )
    assert found is not None
    bits, values = found
    assert bits.tolist() == [[-1], [1], [1], [-1]]
    assert values.sum() == pytest.approx(0)
    assert values[0] - values[1] == pytest.approx(0.005, rel=0.01)
    assert values[0] - values[2] == pytest.approx(MOST_LOSS)
    assert rows({"moves": ["a", "a"], "seconds": [[0], [1]], "scores": {}}) is None


def written(path: Path, seed: int = 1, gain_cp: int = 12, positions: int = 300) -> Path:
    """A file whose first change, and twice the nodes, often choose the move that is better by `gain_cp`."""
    drawn = np.random.default_rng(seed)
    lines: list[object] = [["LMR_BASE=700:960", "LMP_BASE=6:10", NODES]]
    for _ in range(positions):
        seconds = drawn.integers(0, 2, (16, 3))
        is_good = drawn.random(16) < 0.3 + 0.2 * seconds[:, 0] + 0.4 * seconds[:, 2]
        moves = ["good" if good else "bad" for good in is_good]
        lines.append({"moves": moves, "seconds": seconds.tolist(), "scores": {"good": gain_cp, "bad": 0}})
    lines += [{"moves": ["good"] * 4, "seconds": [[0, 0, 0]] * 4, "scores": {}}] * positions
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_effects_are_those_of_all_positions_and_a_share_of_twice_the_nodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["effects", str(written(tmp_path / "a")), str(written(tmp_path / "b", seed=2))])
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("1,200 positions, 600 ")
    found = {line.split()[0]: line.split()[-3:] for line in lines}
    assert [line.split()[0] for line in lines] == ["nodes,", "LMR_BASE=700:960", "LMP_BASE=6:10"]
    gain = 1e4 * 0.02 / 2  # 12 of 150 centipawns, in half of the positions
    for name, share in (("nodes,", 0.4), ("LMR_BASE=700:960", 0.2), ("LMP_BASE=6:10", 0.0)):
        effect, bar, of_nodes = float(found[name][0]), float(found[name][1].lstrip("+-")), float(found[name][2])
        assert abs(effect - share * gain) < 1.5 * bar < 6
        assert of_nodes == pytest.approx(share / 0.4, abs=0.1)


def test_files_of_other_changes_or_of_too_little_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, other = written(tmp_path / "a"), tmp_path / "b"
    other.write_text(json.dumps(["LMR_BASE=700:961", NODES]) + "\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["effects", str(first), str(other)])
    assert "different changes" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["effects", str(other)])
    assert "0 positions with different moves are too few for 2 changes" in capsys.readouterr().err


def run(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.chosen_moves", "search", *arguments]
    found = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, cwd=ROOT, env=found, capture_output=True, text=True, check=False)


def test_a_process_whose_numbers_are_constants_says_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "a.games").write_bytes(game_bytes(game()))
    result = run([str(tmp_path / "out"), str(tmp_path / "a.games"), "LMR_BASE=700:960"])
    assert result.returncode == 2
    assert "ENGINE88_TUNABLE=engine88.search.params" in result.stderr


@pytest.mark.slow
def test_positions_are_searched_and_different_moves_judged(tmp_path: Path) -> None:
    (tmp_path / "a.games").write_bytes(b"".join(game_bytes(game()) for _ in range(6)))
    out = tmp_path / "out"
    arguments = [str(out), str(tmp_path / "a.games"), "LMR_BASE=0:2000", "SINGULAR_FACTOR=1:6"]
    # The searches are interpreted. The judge is compiled, with constants, as it has been for other tests.
    judge = f"env -u NUMBA_DISABLE_JIT -u ENGINE88_TUNABLE {sys.executable} -m engine88"
    arguments += ["--nodes", "15", "--judge-nodes", "2000", "--command", judge]
    result = run(arguments, ENGINE88_TUNABLE="engine88.search.params", NUMBA_DISABLE_JIT="1")
    assert result.returncode == 0, result.stderr
    names, *positions = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert names == ["LMR_BASE=0:2000", "SINGULAR_FACTOR=1:6", NODES]
    assert len(positions) == 6
    for position in positions:
        several = len(set(position["moves"])) > 1
        assert len(position["moves"]) == len(position["seconds"]) == (16 if several else 4)
        assert set(position["scores"]) == (set(position["moves"]) if several else set())
    assert any(position["scores"] for position in positions)
