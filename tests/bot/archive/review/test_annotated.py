"""The files that a review leaves."""

from __future__ import annotations

import chess
from chess.engine import Cp, PovScore

from bot.archive.review.annotated import annotated_games, lost_positions
from tests.bot.archive.review.test_values import fools_mate_review
from tests.bot.archive.test_played_game import fools_mate
from tests.helpers.finished_games import games_in


def test_bad_moves_get_a_sign_a_comment_and_the_better_line() -> None:
    kept = fools_mate().record
    one, other = games_in(annotated_games([(kept, fools_mate_review()), (kept, fools_mate_review())]))
    assert one.errors == other.errors == []
    first, second, third, last = one.mainline()
    assert (first.nags, second.nags, third.nags) == ({chess.pgn.NAG_DUBIOUS_MOVE}, set(), {chess.pgn.NAG_BLUNDER})
    assert first.eval() == PovScore(Cp(-70), chess.WHITE)
    assert third.clock() == 171.5
    assert third.comment.startswith("Blunder: -0.70 > #-1.")
    assert "book" not in first.comment
    assert [node.san() for node in second.variations] == ["g4", "Nc3"]
    assert [move.uci() for move in second.variations[1].mainline_moves()] == ["g8f6"]
    assert last.eval() is None  # mate needs no score
    assert one.headers["Annotator"] == "engine88 0.1, 1000 nodes a position"


def test_a_lost_position_names_the_better_move_and_ours() -> None:
    (line,) = lost_positions(fools_mate().record, fools_mate_review())
    board, operations = chess.Board.from_epd(line)
    assert board.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq -")
    assert operations["bm"] == [chess.Move.from_uci("b1c3")]
    assert operations["am"] == [chess.Move.from_uci("g2g4")]
    assert operations["id"] == "abcdefgh 2.g4"
