"""Labelled positions, and quiet positions of games."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from engine88.rules.fen import START_FEN
from engine88.training.game_file import game_bytes
from engine88.training.weights_tuner.dataset import SKIPPED_PLIES, LabelledPosition, quiet_positions, read_positions
from tests.engine88.training.random_games import boards_of, random_game, uci


def test_lines_read_back_equal(tmp_path: Path) -> None:
    positions = [LabelledPosition(START_FEN, 0.5, -12), LabelledPosition(START_FEN, 1.0, 300)]
    path = tmp_path / "positions.txt"
    path.write_text("".join(position.to_line() for position in positions), encoding="utf-8")
    assert list(read_positions(path)) == positions


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
