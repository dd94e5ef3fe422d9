"""Labelled positions of games and files, and the coefficients of the weights in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from engine88.rules.fen import START_FEN
from engine88.training.game_file import game_bytes
from engine88.training.traces import SKIPPED_PLIES, LabelledPosition, quiet_positions, read_positions, trace_positions
from tests.engine88.training.random_games import boards_of, random_game, uci


def test_each_line_is_a_position(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{START_FEN};0.5;-12\n{START_FEN};1;300\n", encoding="utf-8")
    assert list(read_positions(path)) == [LabelledPosition(START_FEN, 0.5, -12), LabelledPosition(START_FEN, 1.0, 300)]


@pytest.mark.parametrize("line", ["", "fen only", f"{START_FEN};won;1", f"{START_FEN};1;1;1"])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{START_FEN};1;0\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"positions.txt:2: expected 'FEN;result;score'"):
        list(read_positions(path))


def test_positions_are_quiet_and_labelled(tmp_path: Path) -> None:
    path = tmp_path / "a.games"
    games = [random_game(seed) for seed in range(4)]
    path.write_bytes(b"".join(map(game_bytes, games)))
    wanted = {}
    for game in games:
        for ply, (board, code) in enumerate(zip(boards_of(game), game.moves, strict=True)):
            move = chess.Move.from_uci(uci(board, int(code)))
            quiet = not (board.is_check() or board.is_capture(move) or move.promotion)
            if ply >= SKIPPED_PLIES and quiet and abs(int(game.scores_cp[ply])) < 2000:
                wanted[board.board_fen()] = (game.result / 2, int(game.scores_cp[ply]))
    found = list(quiet_positions(path, 1))
    assert 0.3 * len(wanted) < len(found) < 0.7 * len(wanted)
    for position in found:
        assert (position.result, position.score_cp) == wanted[position.fen.split()[0]]
    assert found == list(quiet_positions(path, 1))
    assert found != list(quiet_positions(path, 2))


FENS = (
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 b - - 0 12",
    "2r2rk1/pp1bqpp1/2nppn1p/2p3N1/1bP5/1PN3P1/PBQPPPBP/3R1RK1 w - - 0 1",
    "3r1rk1/p3qppp/2bb4/2p5/3p4/1P2P3/PBQN1PPP/2R2RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5p2/6p1/8/7p/1q6/6PP/3r2BK w - - 0 1",
    "4k3/1p3pp1/3b4/8/8/3B4/PP3PP1/4K3 w - - 0 1",
)

PROGRAM = """
import sys
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen
from engine88.training.traces import LabelledPosition
from engine88.training.fit_command import Model
from engine88.training.traces import trace_positions
model = Model.of_present_weights()
mate_by_rule = LabelledPosition("7k/8/5K2/8/8/8/8/5BN1 w - - 0 1", 1.0, 0)
print(len(trace_positions([mate_by_rule, LabelledPosition(sys.argv[1], 0.5, 0)]).phase))
for fen in sys.argv[1:]:
    board = read_fen(fen)
    real = int(evaluate(board, new_evaluation_state())) * (-1 if board.side else 1)
    print(real, float(model.scores(trace_positions([LabelledPosition(fen, 0.5, 0)]))[0]))
"""


def test_traces_times_weights_equal_the_evaluation() -> None:
    root = Path(__file__).parents[3]
    environment = {**os.environ, "ENGINE88_TRACE": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *FENS],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    traced, *lines = done.stdout.splitlines()
    assert traced == "1", "what a rule for one endgame judges is left out, and no other"
    pairs = [tuple(map(float, line.split())) for line in lines]
    assert len(pairs) == len(FENS)
    for fen, (real, modelled) in zip(FENS, pairs, strict=True):
        assert real == pytest.approx(modelled, abs=2.5), fen


def test_an_ordinary_process_refuses_to_trace() -> None:
    with pytest.raises(RuntimeError, match="ENGINE88_TRACE=1"):
        trace_positions([LabelledPosition(FENS[0], 0.5, 0)])
