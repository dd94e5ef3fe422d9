"""A finished game as values."""

from __future__ import annotations

import chess
import pytest

from tests.bot.dashboard.pictures import replay


def test_positions_and_the_moves_that_led_to_them() -> None:
    game = replay()
    assert (game.placement(0), game.last_uci(0)) == (chess.STARTING_BOARD_FEN, "")
    assert (game.placement(1).split("/")[5], game.last_uci(1)) == ("5P2", "f2f3")
    assert game.last_uci(4) == "d8h4"


@pytest.mark.parametrize(
    ("ply", "white_ms", "black_ms"),
    [(0, 180_000, 180_000), (1, 179_000, 180_000), (2, 179_000, 178_000), (4, 177_000, 176_000)],
)
def test_each_clock_shows_its_sides_latest_move(ply: int, white_ms: int, black_ms: int) -> None:
    game = replay()
    assert (game.clock_ms(ply, white=True), game.clock_ms(ply, white=False)) == (white_ms, black_ms)


def test_labels_and_scores() -> None:
    game = replay()
    assert [move.label for move in game.moves] == ["1. f3", "1... e5", "2. g4", "2... Qh4#"]
    assert [(point.ply, point.score_cp) for point in game.scores] == [(2, 160), (4, 320)]
