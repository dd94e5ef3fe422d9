"""The files that a review leaves: the games as annotated PGN, and the positions that were lost as EPD."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import chess
import chess.engine
import chess.pgn

from bot.archive.game_record import GameRecord
from bot.archive.review.values import GameReview, ReviewedMove, Score

_NAGS = {
    "blunder": chess.pgn.NAG_BLUNDER,
    "mistake": chess.pgn.NAG_MISTAKE,
    "inaccuracy": chess.pgn.NAG_DUBIOUS_MOVE,
}


def annotated_pgn(kept: GameRecord, review: GameReview) -> str:
    """Return the game with the review's score after each move, a NAG and the better line at the bad ones.

    The scores and sources noted during the game are replaced; the clocks stay.
    """
    game = chess.pgn.read_game(io.StringIO(kept.pgn))
    assert game is not None  # it was reviewed
    game.headers["Annotator"] = f"{review.engine}, {review.nodes} nodes a position"
    for node, move in zip(list(game.mainline()), review.moves, strict=True):
        clock_s = node.clock()
        node.comment = ""
        if not node.board().is_game_over():
            node.set_eval(_pov(move.after))
        if clock_s is not None:
            node.set_clock(clock_s)
        if move.judgement:
            node.nags.add(_NAGS[move.judgement])
            node.comment = f"{move.judgement.capitalize()}: {move.before} > {move.after}. {node.comment}".strip()
            _add_variation(node.parent, move)
    return str(game)


def annotated_games(pairs: Iterable[tuple[GameRecord, GameReview]]) -> str:
    """Return all games, an empty line between two."""
    return "\n\n".join(annotated_pgn(kept, review) for kept, review in pairs) + "\n"


def lost_positions(kept: GameRecord, review: GameReview) -> Iterator[str]:
    """Yield the positions before our blunders as EPD lines, with the better move (bm), ours (am) and where it was."""
    game = chess.pgn.read_game(io.StringIO(kept.pgn))
    assert game is not None  # it was reviewed
    for node, move in zip(game.mainline(), review.moves, strict=True):
        if move.is_ours and move.judgement == "blunder" and move.better:
            board = node.parent.board()
            best = board.parse_san(move.better[0])
            yield board.epd(bm=[best], am=[node.move], id=f"{review.game_id} {move}")


def _pov(score: Score) -> chess.engine.PovScore:
    value = chess.engine.Cp(score.cp or 0) if score.mate_in is None else chess.engine.Mate(score.mate_in)
    return chess.engine.PovScore(value, chess.WHITE)


def _add_variation(parent: chess.pgn.GameNode, move: ReviewedMove) -> None:
    board = parent.board()
    moves = [board.push_san(san) for san in move.better]
    if moves:
        parent.add_line(moves)
