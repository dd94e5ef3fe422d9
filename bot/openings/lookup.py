"""Finds the opening of a game by its positions, so that every move order leads to the same name.

The list of openings is a text: a line is an ECO code, a name, moves in SAN and the position after them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import chess

_ECO = re.compile(r"[A-E][0-9]{2}")
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
    return {line.position: (line.eco, line.name) for line in lines_of(LIST_PATH.read_text(encoding="utf-8"))}


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """One line of the list; `position` is an EPD without operations, empty until it is filled in."""

    eco: str
    name: str
    moves: str
    position: str = ""


def lines_of(text: str) -> Iterator[OpeningLine]:
    """Yield all lines but comments. Raises ValueError for a line without its columns."""
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) not in (3, 4):
                raise ValueError(f"line {number} of the openings: {len(columns)} columns instead of 3 or 4: {line!r}")
            yield OpeningLine(*columns)


def completed(text: str) -> str:
    """Return the list sorted by code and moves, with moves and positions in standard notation.

    Raises ValueError for an invalid code, an illegal move or a repeated position.
    """
    comments = [line for line in text.splitlines() if line.startswith("#")]
    by_position: dict[str, OpeningLine] = {}
    for line in map(_completed, lines_of(text)):
        if (other := by_position.setdefault(line.position, line)) is not line:
            raise ValueError(f"{line.eco} {line.name}: the position of {other.eco} {other.name}")
    lines = sorted(by_position.values(), key=lambda line: (line.eco, line.moves))
    return "\n".join([*comments, *(f"{line.eco}\t{line.name}\t{line.moves}\t{line.position}" for line in lines), ""])


def _completed(line: OpeningLine) -> OpeningLine:
    if not _ECO.fullmatch(line.eco):
        raise ValueError(f"{line.eco} {line.name}: a code is A00 to E99")
    board, moves = chess.Board(), []
    for san in line.moves.split():
        try:
            move = board.parse_san(san)
        except ValueError as error:
            raise ValueError(f"{line.eco} {line.name}: {error}") from error
        moves.append(board.san(move))
        board.push(move)
    return OpeningLine(line.eco, line.name, " ".join(moves), board.epd())
