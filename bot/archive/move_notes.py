"""Puts together what is known about each move of a finished game, for its PGN. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import chess

from bot.archive.pgn import MoveNote
from bot.archive.search_note import SearchNote


def move_notes(board: chess.Board, searched: Iterable[SearchNote], clocks_ms: Mapping[int, int]) -> dict[int, MoveNote]:
    """Return the notes by ply, counted from 1.

    `board` is the last position with all moves on the stack; notes of moves that were taken back or not played do not
    count. `clocks_ms`: the mover's time left after each move, by ply.
    """
    moves = {ply: move.uci() for ply, move in enumerate(board.move_stack, 1)}
    notes = {ply: MoveNote(clock_ms=clock_ms) for ply, clock_ms in clocks_ms.items() if ply in moves}
    for search in searched:
        if moves.get(search.ply) == search.uci:
            mover = board.root().turn if search.ply % 2 else not board.root().turn
            score_cp, mate_in = search.score_cp, search.mate_in
            if mover == chess.BLACK:
                score_cp, mate_in = _negated(score_cp), _negated(mate_in)
            known = notes.get(search.ply, MoveNote())
            notes[search.ply] = replace(
                known, score_cp=score_cp, mate_in=mate_in, depth=search.depth, source=search.source
            )
    return notes


def engines_of(notes: Mapping[int, MoveNote]) -> str:
    """Return the names of the engines that gave scores, "" for none."""
    return ", ".join(sorted({note.source for note in notes.values() if note.depth is not None and note.source}))


def _negated(score: int | None) -> int | None:
    return None if score is None else -score
