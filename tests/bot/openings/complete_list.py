"""`python -m tests.bot.openings.complete_list` sorts the list of openings and fills in the positions of new lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess

from bot.openings.lookup import LIST_PATH

_ECO = re.compile(r"[A-E][0-9]{2}")


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


if __name__ == "__main__":
    LIST_PATH.write_text(completed(LIST_PATH.read_text(encoding="utf-8")), encoding="utf-8")
