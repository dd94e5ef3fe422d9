"""The list of openings as text: a line is an ECO code, a name, moves in SAN and the position after them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess

_ECO = re.compile(r"[A-E][0-9]{2}")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list; `position` is an EPD without operations, empty where it is not yet filled in."""

    eco: str
    name: str
    moves: str
    position: str = ""


def lines_of(text: str) -> Iterator[Line]:
    """Yield the lines that are no comments. Raises ValueError for one without its columns."""
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) not in (3, 4):
                raise ValueError(f"line {number} of the openings: {len(columns)} columns instead of 3 or 4: {line!r}")
            yield Line(*columns)


def completed(text: str) -> str:
    """Return the list sorted by code and moves, each move and position written in its one standard way.

    Raises ValueError for a code that is none, an illegal move, or a position that is there twice.
    """
    comments = [line for line in text.splitlines() if line.startswith("#")]
    by_position: dict[str, Line] = {}
    for line in map(_completed, lines_of(text)):
        if (other := by_position.setdefault(line.position, line)) is not line:
            raise ValueError(f"{line.eco} {line.name}: the position of {other.eco} {other.name}")
    lines = sorted(by_position.values(), key=lambda line: (line.eco, line.moves))
    return "\n".join([*comments, *(f"{line.eco}\t{line.name}\t{line.moves}\t{line.position}" for line in lines), ""])


def _completed(line: Line) -> Line:
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
    return Line(line.eco, line.name, " ".join(moves), board.epd())
