"""Finds the opening of a game by its positions, so that every order of moves leads to the same name."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import chess

from bot.openings.opening_list import lines_of

LIST_PATH = Path(__file__).with_name("openings.tsv")
#: No game is still in a named position after so many plies; the longest line of the list has fewer.
MOST_PLIES = 40


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening; `ply` is the number of half-moves after which the game stood in its named position."""

    eco: str
    name: str
    ply: int


def opening_of(moves: Iterable[str]) -> Opening | None:
    """Return the opening of a game of standard chess, from its moves in UCI notation; None before a name is reached.

    It is the name of the last position of the game that has one. Castling may be written either way, `e1g1` or `e1h1`.
    Raises ValueError for an illegal move.
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
    """Codes and names by position, read when first wanted (a few ms)."""
    return {line.position: (line.eco, line.name) for line in lines_of(LIST_PATH.read_text(encoding="utf-8"))}
