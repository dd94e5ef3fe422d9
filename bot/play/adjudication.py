"""When to resign, offer, accept or claim: pure decisions from scores, tables, the position and the opponent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chess
from chess.engine import Cp, Score

from bot.engine_pool.values import Answer
from bot.play.game import Game
from bot.settings import ConductSettings, DrawSettings, ResignSettings


def conduct_for(settings: ConductSettings, game: Game) -> ConductSettings:
    """Return the settings for one game; keys that its rule does not name stay as usual."""
    rule = next((one for one in settings.rules if one.fit(game.facts)), None)
    if rule is None:
        return settings
    changes: dict[str, object] = {} if rule.takebacks is None else {"takebacks": rule.takebacks}
    if rule.resign is not None:
        changes["resign"] = settings.resign.model_copy(update=rule.resign.model_dump(exclude_unset=True))
    if rule.draw is not None:
        changes["draw"] = settings.draw.model_copy(update=rule.draw.model_dump(exclude_unset=True))
    return settings.model_copy(update=changes)


HISTORY = 64
NEVER_RESIGN_BEFORE_PLY = 2  # the server would abort instead
CONTEMPT_DIFFERENCE, CONTEMPT_MIN_MOVE = 200, 60  # rating points, move number
LOST, BLESSED_LOSS, DRAWN = -2, -1, 0  # of a tablebase; more is a win, if only but for the fifty-move rule


@dataclass(frozen=True, slots=True)
class MoveScore:
    """What is known of a position from our side: a score, a tablebase's result, both or neither."""

    score: Score | None = None
    wdl: int | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the game stands after our latest answer; `scores` are ours, oldest first."""

    ply: int
    pieces: int
    opponent: str  # its kind
    rating: int | None = None
    my_rating: int | None = None
    scores: Sequence[MoveScore] = ()

    @property
    def wdl(self) -> int | None:
        """What a tablebase says of the latest position; None where none knows it."""
        return self.scores[-1].wdl if self.scores else None

    @property
    def score(self) -> Score | None:
        """The latest score."""
        return self.scores[-1].score if self.scores else None

    def streak(self, length: int, fits: Callable[[MoveScore], bool]) -> bool:
        """Whether the latest `length` scores all fit."""
        latest = self.scores[-length:]
        return len(latest) == length and all(map(fits, latest))


def resigns(rule: ResignSettings, now: Situation) -> bool:
    """Whether the game is given up instead of moving."""

    def is_lost(one: MoveScore) -> bool:
        if one.wdl is not None:
            return one.wdl == LOST
        return one.score is not None and one.score <= Cp(rule.score_cp)

    # a table that knows better than the scores of a moment ago decides: its result is in the latest of the streak
    return rule.enabled and now.ply >= NEVER_RESIGN_BEFORE_PLY and now.streak(rule.moves, is_lost)


def offers_draw(rule: DrawSettings, now: Situation) -> bool:
    """Whether we would propose a draw with the next move."""
    if not rule.offer or now.opponent == "ai" or _is_won(now):
        return False
    if now.wdl is not None:
        return now.wdl in (DRAWN, BLESSED_LOSS) and not _shows_contempt(rule, now)
    return _is_level_late(rule, now)


def accepts_draw(rule: DrawSettings, now: Situation) -> bool:
    """Whether a draw that is offered now is accepted."""
    if not rule.accept or _is_won(now):
        return False
    if now.wdl is not None:
        return now.wdl < DRAWN or not _shows_contempt(rule, now)
    if now.streak(rule.moves, lambda one: one.score is not None and one.score < Cp(-rule.score_cp)):
        return True
    return _is_level_late(rule, now)


def claims_draw(rule: DrawSettings, now: Situation) -> bool:
    """Whether a repetition or the fifty-move rule is claimed: unless we are better, or look down on the opponent."""
    if now.wdl is not None:
        return now.wdl < DRAWN or (now.wdl == DRAWN and not _shows_contempt(rule, now))
    if _shows_contempt(rule, now):
        return now.score is not None and now.score < Cp(-rule.score_cp)
    return now.score is None or now.score <= Cp(rule.score_cp)


def _is_won(now: Situation) -> bool:
    return now.wdl is not None and now.wdl > DRAWN


def _is_level_late(rule: DrawSettings, now: Situation) -> bool:
    level = Cp(rule.score_cp)
    return (
        now.ply >= 2 * (rule.min_move - 1)
        and now.pieces <= rule.max_pieces
        and not _shows_contempt(rule, now)
        and now.streak(rule.moves, lambda one: one.score is not None and -level <= one.score <= level)
    )


def _shows_contempt(rule: DrawSettings, now: Situation) -> bool:
    """Whether a level game with this opponent is still to be played on."""
    if not rule.contempt or now.opponent != "human" or now.rating is None or now.my_rating is None:
        return False
    return now.my_rating - now.rating >= CONTEMPT_DIFFERENCE and now.ply < 2 * (CONTEMPT_MIN_MOVE - 1)


class Adjudicator:
    """The scores of one game, and what follows from them now."""

    def __init__(self, settings: ConductSettings) -> None:
        self._settings = settings
        self._scores: deque[MoveScore] = deque(maxlen=HISTORY)

    def add(self, answer: Answer) -> None:
        """Take note of our move's score, positive when we are better; a move without one breaks every streak."""
        score = answer.info.score if answer.move is not None and not answer.source else None
        self._scores.append(MoveScore(score, answer.wdl if answer.move is not None else None))

    @property
    def last_score(self) -> Score | None:
        """The latest score, None before the first and after a book move."""
        return self._scores[-1].score if self._scores else None

    def resigns(self, game: Game) -> bool:
        """Whether to give up instead of moving."""
        return resigns(conduct_for(self._settings, game).resign, self._situation(game))

    def offers_draw(self, game: Game) -> bool:
        """Whether we would propose a draw with the next move."""
        return offers_draw(conduct_for(self._settings, game).draw, self._situation(game))

    def accepts_draw(self, game: Game) -> bool:
        """Whether a draw that is offered now is accepted."""
        return accepts_draw(conduct_for(self._settings, game).draw, self._situation(game))

    def claims_draw(self, game: Game) -> bool:
        """Whether a draw is claimed where the rules allow it."""
        return claims_draw(conduct_for(self._settings, game).draw, self._situation(game))

    def _situation(self, game: Game) -> Situation:
        return Situation(
            ply=game.ply,
            pieces=chess.popcount(game.board.occupied),
            opponent=game.opponent.kind,
            rating=game.opponent.rating,
            my_rating=game.me.rating,
            scores=tuple(self._scores),
        )
