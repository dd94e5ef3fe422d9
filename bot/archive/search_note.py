"""What the bot knew about a move of its own when it played it; kept until the game's PGN holds it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine_pool import Answer


@dataclass(frozen=True, slots=True)
class SearchNote:
    """One of our moves, the `ply`-th of the game, counted from 1; `uci` as the engine wrote it.

    Scores are for the mover; `mate_in` counts moves and is negative where the mover is mated. `source` names what chose
    the move: the entry of an engine, "book", a tablebase.
    """

    ply: int
    uci: str
    score_cp: int | None
    mate_in: int | None
    depth: int | None
    source: str


def search_note(ply: int, answer: Answer) -> SearchNote | None:
    """Return the note of an answer for the move after `ply` half-moves; None for an answer without a move."""
    if answer.move is None:
        return None
    info = answer.info
    return SearchNote(ply + 1, answer.move.uci(), info.score_cp, info.mate, info.depth, answer.source or answer.engine)
