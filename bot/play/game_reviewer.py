"""Two lines to the opponent after a game: the turning point, and the better move. Searches only while no game runs."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import chess
import chess.engine
import structlog

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.values import MATE_CP, Requirement, score_text
from bot.errors import BotError
from bot.play.chat.commands import Scores
from bot.play.game import Game
from bot.play.game_log import numbered_san
from bot.supervised_loop import start_thread

FIRST_S, PATIENCE_S = 1.0, 45.0  # after the end of the game, until no game runs
SEARCH_S = 2.0
ANSWER_S = 10.0
LEAST_CHANGE_CP = 100
MOST_CP = 1000  # beyond this a game is won anyway
_POLL_S = 0.1

log = structlog.get_logger(__name__)


class GameReviewer:
    """The scores of our own moves find the turning point, one search the better move. `is_idle()`: no game runs."""

    def __init__(self, lend: Callable[[Requirement], EngineLease], is_idle: Callable[[], bool]) -> None:
        self._lend, self._is_idle = lend, is_idle

    def review(self, game: Game, scores: Scores, say: Callable[[str], object]) -> None:
        """Call `say` with two lines within a minute, or not at all. Returns at once. `scores`: of our moves by ply."""
        found = turning_point(game.board, scores)
        if found is not None:
            start_thread("review", game.game_id, lambda: self._review(game, found, scores, say))

    def _review(self, game: Game, ply: int, scores: Scores, say: Callable[[str], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        time.sleep(FIRST_S)
        while not self._is_idle():
            if time.monotonic() > deadline:
                log.info("review_after_game_dropped", game_id=game.game_id, why="other games run")
                return
            time.sleep(_POLL_S)
        board = game.board.copy()
        while len(board.move_stack) > ply:
            board.pop()
        better = self._better_move(board)
        played = game.board.move_stack[ply]
        if better is None or better == played:
            return
        first = ply if ply in scores else ply - 1  # our move, or our move before the opponent's
        change = f"from {score_text(scores[first])} to {score_text(scores[first + 2])}"
        say(f"The turning point was {numbered_san(board, played.uci())}: my evaluation went {change}.")
        say(f"Better was {numbered_san(board, better.uci())}.")

    def _better_move(self, board: chess.Board) -> chess.Move | None:
        """Search; give up as soon as a game begins."""
        try:
            engine = self._lend(Requirement(variant=board.uci_variant or "chess", chess960=board.chess960))
        except BotError as error:
            log.info("review_after_game_dropped", why=str(error))
            return None
        deadline = time.monotonic() + ANSWER_S
        try:
            limit = chess.engine.Limit(time=SEARCH_S)
            answer = engine.ask(board, limit, lambda: self._is_idle() and time.monotonic() < deadline)
        finally:
            engine.give_back()
        if answer is None:
            log.info("review_after_game_dropped", why="a game began, or no answer came")
            return None
        return answer.move


def turning_point(board: chess.Board, scores: Scores) -> int | None:
    """Return the ply of the move that changed our score most between two of our moves; None if little changed.

    A score that rose is the fault of the opponent's move between the two, one that fell that of our own.
    """
    plies = sorted(scores)
    changes = [
        (abs(_cp(scores[later]) - _cp(scores[ply])), ply + (_cp(scores[later]) > _cp(scores[ply])))
        for ply, later in itertools.pairwise(plies)
        if later == ply + 2
    ]
    change, ply = max(changes, default=(0, 0))
    return ply if change >= LEAST_CHANGE_CP and ply < len(board.move_stack) else None


def _cp(score: chess.engine.Score) -> int:
    return max(-MOST_CP, min(MOST_CP, score.score(mate_score=MATE_CP)))
