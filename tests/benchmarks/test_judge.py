"""The judge of networks: which positions it takes, and what it calls an error."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

from benchmarks.judge import SCALES, expected, main, quiet_positions, read_scored, squared_errors

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
    errors, scale = squared_errors(own, expected(2 * own, 2 * float(SCALES[30])))
    assert errors.max() < 1e-20
    assert scale == pytest.approx(SCALES[30])


def test_opposite_scores_have_a_large_error() -> None:
    own = np.array([-300.0, 300.0])
    errors, scale = squared_errors(own, expected(-own, 200))
    assert errors.min() > 0.1
    assert scale == pytest.approx(SCALES[-1])


def test_decided_positions_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{chess.STARTING_FEN} | 31\n{chess.STARTING_FEN} | -2500\n", encoding="utf-8")
    positions, scores = read_scored(path)
    assert len(positions) == 1
    assert scores.tolist() == [31.0]


def test_a_line_without_a_score_is_named(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{chess.STARTING_FEN} | 31\n{chess.STARTING_FEN}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_scored(path)


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
