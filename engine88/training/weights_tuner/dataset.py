"""Labelled positions: one a line, `FEN;result;score`, both from White's side."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LabelledPosition:
    """A quiet position, how its game ended (1 White won, 0.5 draw, 0) and what the search said (centipawns)."""

    fen: str
    result: float
    score_cp: int

    def to_line(self) -> str:
        """Its line in a file."""
        return f"{self.fen};{self.result:g};{self.score_cp}\n"


def read_positions(path: Path) -> Iterator[LabelledPosition]:
    """The positions of a file. Raises ValueError that names the line that does not fit."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                fen, result, score_cp = line.rstrip("\n").split(";")
                yield LabelledPosition(fen, float(result), int(score_cp))
            except ValueError as error:
                raise ValueError(f"{path}:{number}: expected 'FEN;result;score', got {line.strip()!r}") from error
