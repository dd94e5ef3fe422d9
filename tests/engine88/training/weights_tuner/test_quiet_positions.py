"""Positions for the fit of the weights come from files of games: quiet ones, labelled from White's side."""

from __future__ import annotations

from pathlib import Path

import chess

from engine88.training.game_file import game_bytes
from engine88.training.weights_tuner.quiet_positions import SKIPPED_PLIES, quiet_positions
from tests.engine88.training.random_games import boards_of, random_game, uci


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
