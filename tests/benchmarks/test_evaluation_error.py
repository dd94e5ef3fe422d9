"""The error of networks: which positions count, and what an error is."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

from benchmarks.evaluation_error import SCALES, main, quiet_positions, read_scored, squared_errors
from engine88.training.network_trainer.trainer import expected_result

PGN = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 Bg4 *"


def test_positions_in_check_and_before_captures_are_left_out() -> None:
    game = chess.pgn.read_game(io.StringIO(PGN))
    assert game is not None
    boards = [chess.Board(fen) for fen in quiet_positions(game)]
    assert [(board.fullmove_number, board.turn) for board in boards] == [
        (1, chess.WHITE),
        (1, chess.BLACK),
        (3, chess.WHITE),
        (3, chess.BLACK),
        (4, chess.BLACK),
    ]


def test_scores_that_differ_by_their_unit_alone_have_no_error() -> None:
    own = np.array([-300.0, -20.0, 0.0, 55.0, 410.0])
    errors, scale = squared_errors(own, expected_result(2 * own, 2 * float(SCALES[30])))
    assert errors.max() < 1e-20
    assert scale == pytest.approx(SCALES[30])


def test_opposite_scores_have_a_large_error() -> None:
    own = np.array([-300.0, 300.0])
    errors, scale = squared_errors(own, expected_result(-own, 200))
    assert errors.min() > 0.1
    assert scale == pytest.approx(SCALES[-1])


def test_decided_positions_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{chess.STARTING_FEN} | 31\n{chess.STARTING_FEN} | -2500\n", encoding="utf-8")
    positions, scores = read_scored(path)
    assert len(positions) == 1
    assert scores.tolist() == [31.0]


@pytest.mark.parametrize("line", [chess.STARTING_FEN, f"{chess.STARTING_FEN} | much"])
def test_a_line_without_a_score_is_named(tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{chess.STARTING_FEN} | 31\n{line}\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["compare", str(path), "default"])
    assert "positions.txt, line 2: write `FEN | centipawns`" in capsys.readouterr().err


def test_a_file_without_positions_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{chess.STARTING_FEN} | 2500\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no position"):
        read_scored(path)


def test_positions_are_scored_once_and_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.pgn").write_text(PGN, encoding="utf-8")
    out = tmp_path / "positions.txt"
    command = ["score", str(out), str(tmp_path / "games.pgn"), "--nodes", "100", "--each", "3"]
    command += ["--command", f"{sys.executable} -m engine88"]
    main(command)
    written = out.read_text(encoding="utf-8")
    assert len(written.splitlines()) == 3
    assert len(read_scored(out)[0]) == 3
    with pytest.raises(SystemExit):
        main(command)
    assert "positions.txt" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == written


def test_a_network_differs_from_the_first_by_a_bar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "positions.txt"
    board = chess.Board()
    lines = []
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        board.push_uci(move)
        lines.append(f"{board.fen()} | 20\n")
    path.write_text("".join(lines), encoding="utf-8")
    main(["compare", str(path), "default", "default"])
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert "in 4 positions" in first
    assert first.endswith("+0.0 +-0.0")
