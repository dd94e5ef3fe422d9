"""Finds the opening of a game by its positions, so that every move order leads to the same name.

The list of openings is a text: a line is an ECO code, a name, moves in SAN and the position after them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import chess

LIST_PATH = Path(__file__).with_name("openings.tsv")
#: The longest line of the list has fewer plies.
MOST_PLIES = 40


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening; the game reached its named position after `ply` half-moves."""

    eco: str
    name: str
    ply: int


def opening_of(moves: Iterable[str]) -> Opening | None:
    """Return the opening of a game of standard chess from its moves in UCI notation, None before a named position.

    The last named position of the game counts. Castling may be written as `e1g1` or `e1h1`. Raises ValueError for an
    illegal move.
    """
    board, found, names = chess.Board(), None, _names()
    for ply, uci in enumerate(islice(moves, MOST_PLIES), 1):
        board.push_uci(uci)
        if name := names.get(board.epd()):
            found = Opening(*name, ply)
    return found


def opening_of_board(board: chess.Board) -> Opening | None:
    """Return the opening of the game on a board's move stack; None for variants and games from another position."""
    if type(board) is not chess.Board or board.root().fen() != chess.STARTING_FEN:
        return None
    return opening_of(move.uci() for move in board.move_stack)


@functools.cache
def _names() -> Mapping[str, tuple[str, str]]:
    """Return codes and names by position, read on first use (a few ms)."""
    lines = LIST_PATH.read_text(encoding="utf-8").splitlines()
    columns = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {position: (eco, name) for eco, name, _moves, position in columns}
