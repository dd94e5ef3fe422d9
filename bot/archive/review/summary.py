"""What many reviews say together: accuracy and time by phase, and the worst moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.archive.listing import aligned, shortened
from bot.archive.review.values import PHASES, GameReview, ReviewedMove
from bot.engine_pool.values import score_text
from bot.play.game_log import clock_text

BLUNDERS_SHOWN = 10
_LINE_WIDTH = 24


@dataclass(frozen=True, slots=True)
class MoveTally:
    """Some moves: their accuracy in percent, how many were judged how, the time that those with a clock took."""

    moves: int
    accuracy: float | None
    inaccuracies: int
    mistakes: int
    blunders: int
    spent_s: float
    s_per_move: float | None


def tally_of(moves: Iterable[ReviewedMove]) -> MoveTally:
    """Count moves; the accuracy is the mean of theirs, None without moves."""
    moves = list(moves)
    judged = Counter(move.judgement for move in moves)
    spent = [move.spent_ms / 1000 for move in moves if move.spent_ms is not None]
    return MoveTally(
        moves=len(moves),
        accuracy=round(sum(move.accuracy for move in moves) / len(moves), 1) if moves else None,
        inaccuracies=judged["inaccuracy"],
        mistakes=judged["mistake"],
        blunders=judged["blunder"],
        spent_s=round(sum(spent), 3),
        s_per_move=round(sum(spent) / len(spent), 3) if spent else None,
    )


def blunders_of(reviews: Iterable[GameReview]) -> list[tuple[GameReview, ReviewedMove]]:
    """Return our blunders, the worst first."""
    found = [(review, move) for review in reviews for move in review.moves if move.is_ours]
    blunders = [(review, move) for review, move in found if move.judgement == "blunder"]
    return sorted(blunders, key=lambda pair: -pair[1].loss)


def by_phase(reviews: Sequence[GameReview], *, ours: bool) -> dict[str, MoveTally]:
    """Return the tally of our moves, or of the opponents', by phase and in all."""
    moves = [move for review in reviews for move in review.moves if move.is_ours == ours]
    found = {phase: tally_of(move for move in moves if move.phase == phase) for phase in PHASES}
    return found | {"all": tally_of(moves)}


def summary_text(reviews: Sequence[GameReview]) -> str:
    """Return tables that fit 80 columns: our moves by phase, the opponents' in all, our worst moves."""
    if not reviews:
        return "no game is reviewed\n"
    ours, theirs = by_phase(reviews, ours=True), by_phase(reviews, ours=False)["all"]
    whole_s = ours["all"].spent_s
    rows: list[tuple[str, ...]] = [
        ("", "moves", "accuracy", "inaccurate", "mistakes", "blunders", "time", "s/move"),
        *(_row(name if name != "all" else "all our moves", tally, whole_s) for name, tally in ours.items()),
        (*_row("opponents", theirs, 0.0)[:6], "", _seconds(theirs.s_per_move)),
    ]
    return aligned(rows, right=frozenset(range(1, 8))) + "\n" + _blunders_table(reviews)


def summary_json(reviews: Sequence[GameReview]) -> str:
    """Return the summary, and every blunder of ours, as one JSON object."""
    found: dict[str, Any] = {"games": len(reviews)}
    for name, ours in (("ours", True), ("opponents", False)):
        found[name] = {phase: asdict(tally) for phase, tally in by_phase(reviews, ours=ours).items()}
    found["blunders"] = [
        {
            "game": review.game_id,
            "ply": move.ply,
            "move": str(move),
            "before": score_text(move.before),
            "after": score_text(move.after),
            "loss_percent": round(move.loss, 1),
            "better": list(move.better),
            "spent_ms": move.spent_ms,
            "clock_ms": move.clock_ms,
        }
        for review, move in blunders_of(reviews)
    ]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _row(name: str, tally: MoveTally, whole_s: float) -> tuple[str, ...]:
    accuracy = "-" if tally.accuracy is None else f"{tally.accuracy:.1f}%"
    judged = (tally.inaccuracies, tally.mistakes, tally.blunders)
    share = f"{tally.spent_s / whole_s:.0%}" if whole_s else "-"
    return (name, str(tally.moves), accuracy, *map(str, judged), share, _seconds(tally.s_per_move))


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.1f}"


def _blunders_table(reviews: Sequence[GameReview]) -> str:
    blunders = blunders_of(reviews)
    if not blunders:
        return "no blunders\n"
    rows: list[tuple[str, ...]] = [("blunder", "game", "score", "better", "took", "left")]
    for review, move in blunders[:BLUNDERS_SHOWN]:
        better = shortened(" ".join(move.better[:4]), _LINE_WIDTH)
        took = "-" if move.spent_ms is None else f"{move.spent_ms / 1000:.1f}"
        left = "-" if move.clock_ms is None else clock_text(move.clock_ms)
        scores = f"{score_text(move.before)} > {score_text(move.after)}"
        rows.append((str(move), review.game_id, scores, better, took, left))
    more = len(blunders) - BLUNDERS_SHOWN
    return aligned(rows, right=frozenset({4, 5})) + (f"and {more} more: --json lists all\n" if more > 0 else "")
