"""When to resign, offer, accept or claim: pure decisions from the engine's scores and the position."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from bot.settings import DrawSettings, ResignSettings

HISTORY = 64


NEVER_RESIGN_BEFORE_PLY = 2  # the server would abort instead


class Adjudicator:
    """The scores of one game, as our engine saw them, and what they allow."""

    def __init__(self, resign: ResignSettings, draw: DrawSettings) -> None:
        self._resign = resign
        self._draw = draw
        self._scores: deque[int] = deque(maxlen=HISTORY)

    def saw(self, score_cp: int | None) -> None:
        """Note the score of our move, ours positive; a move without one (a book move) breaks every row."""
        if score_cp is None:
            self._scores.clear()
        else:
            self._scores.append(score_cp)

    @property
    def last_score_cp(self) -> int | None:
        """The latest score, None before the first."""
        return self._scores[-1] if self._scores else None

    def resigns(self, ply: int) -> bool:
        """Whether the row of bad scores is long enough."""
        rule = self._resign
        return (
            rule.enabled
            and ply >= NEVER_RESIGN_BEFORE_PLY
            and self._row(rule.moves, lambda score: score <= rule.score_cp)
        )

    def offers_draw(self, ply: int) -> bool:
        """Whether we would propose a draw now."""
        return self._draw.offer and self._level(ply)

    def accepts_draw(self, ply: int) -> bool:
        """Whether a draw that is offered now is welcome."""
        return self._draw.accept and self._level(ply)

    @property
    def claims_draw(self) -> bool:
        """Whether to take a draw that is there for the asking: always, unless we are better."""
        score = self.last_score_cp
        return score is None or score <= self._draw.score_cp

    def _level(self, ply: int) -> bool:
        rule = self._draw
        return ply >= 2 * (rule.min_move - 1) and self._row(rule.moves, lambda score: abs(score) <= rule.score_cp)

    def _row(self, length: int, fits: Callable[[int], bool]) -> bool:
        scores = list(self._scores)[-length:]
        return len(scores) == length and all(map(fits, scores))
