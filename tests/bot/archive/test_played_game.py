"""A kept game read from its PGN."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest
from chess.engine import Cp, Mate, PovScore

from bot.archive.pgn import MoveNote, pgn_of
from bot.archive.played_game import PlayedGame, UnreadableGameError, played_game
from tests.helpers.finished_games import FOOLS_MATE, blitz, board_after, finished

NOTES = {
    1: MoveNote(clock_ms=180_000, source="book"),
    2: MoveNote(clock_ms=180_000),
    3: MoveNote(clock_ms=171_500, score=PovScore(Cp(-250), chess.WHITE), depth=9, source="engine88"),
    4: MoveNote(clock_ms=182_500, score=PovScore(Mate(-1), chess.WHITE), depth=3, source="engine88"),
}


def fools_mate() -> PlayedGame:
    """The game that White, the bot, lost by fool's mate, with a note of each move."""
    game = finished()
    pgn = pgn_of(game, game.state, board_after(FOOLS_MATE), "https://lichess.test", NOTES)
    return played_game(replace(blitz("abcdefgh", "0-1"), pgn=pgn))


def test_every_move_is_there_with_what_is_known() -> None:
    game = fools_mate()
    assert [move.san for move in game.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert [move.clock_ms for move in game.moves] == [180_000, 180_000, 171_500, 182_500]
    assert [(move.score, move.depth) for move in game.moves] == [
        (None, None),
        (None, None),
        (PovScore(Cp(-250), chess.WHITE), 9),
        (PovScore(Mate(-1), chess.WHITE), 3),
    ]
    assert [move.source for move in game.moves] == ["book", "", "engine88", "engine88"]
    assert [game.is_ours(move) for move in game.moves] == [True, False, True, False]
    assert game.moves[2].fen.split()[0] == "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR"
    assert game.last.is_checkmate()


def test_the_time_of_a_move_counts_the_increment_and_the_first_moves_are_free() -> None:
    assert [move.spent_ms for move in fools_mate().moves] == [None, None, 10_500, 0]


@pytest.mark.parametrize("tag", ["-", "1/86400", "x+y", ""])
def test_without_a_clock_no_time_is_known(tag: str) -> None:
    game = fools_mate()
    kept = replace(game.record, pgn=game.record.pgn.replace('"180+2"', f'"{tag}"'))
    assert played_game(kept).moves[2].spent_ms is None


@pytest.mark.parametrize(("pgn", "reason"), [("", "it has no PGN"), ("1. e4 e4 *", "illegal san")])
def test_a_game_that_cannot_be_read_is_named(pgn: str, reason: str) -> None:
    with pytest.raises(UnreadableGameError, match=rf"game abcdefgh cannot be read: {reason}"):
        played_game(replace(blitz("abcdefgh"), pgn=pgn))


@pytest.mark.parametrize(
    ("ply", "rank", "white_ms", "black_ms"),
    [
        (0, "8", 180_000, 180_000),
        (1, "5P2", 180_000, 180_000),
        (3, "5P2", 171_500, 180_000),
        (4, "5P2", 171_500, 182_500),
    ],
)
def test_position_and_clocks_after_a_move(ply: int, rank: str, white_ms: int, black_ms: int) -> None:
    game = fools_mate()
    assert game.placement(ply).split("/")[5] == rank
    assert (game.clock_ms(ply, white=True), game.clock_ms(ply, white=False)) == (white_ms, black_ms)


def test_labels() -> None:
    game = fools_mate()
    assert [move.label(" ") for move in game.moves] == ["1. f3", "1... e5", "2. g4", "2... Qh4#"]
