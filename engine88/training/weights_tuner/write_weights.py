"""Write engine88/evaluation/classical/weights.py from tables of weights."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

LINE_LENGTH: Final = 116
COLUMNS: Final = 8
HEADER: Final = '''"""Weights of the evaluation in centipawns; written by `python -m engine88.training fit`.

TAPERED: term -> (middlegame values, endgame values). Piece-square values: the ranks 1 to 8 of
the owner, two a line, each with the files a to d. SAFETY: units of attack on a king; king_safety turns their sum
into centipawns.
"""

from typing import Final

'''

Tapered = Mapping[str, tuple[Sequence[int], Sequence[int]]]


def weights_source(tapered: Tapered, safety: Mapping[str, int]) -> str:
    """Source text of weights.py."""
    lines = [HEADER + "TAPERED: Final[dict[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {"]
    for name, (middlegames, endgames) in tapered.items():
        both = (tuple(middlegames), tuple(endgames))
        if len(one_line := f'    "{name}": {both},') <= LINE_LENGTH:
            lines.append(one_line)
        else:
            lines += [f'    "{name}": (', *_tuple_lines(middlegames), *_tuple_lines(endgames), "    ),"]
    lines += ["}", "", "SAFETY: Final[dict[str, int]] = {"]
    lines += [f'    "{name}": {value},' for name, value in safety.items()]
    return "\n".join([*lines, "}", ""])


def _tuple_lines(values: Sequence[int]) -> list[str]:
    """A tuple of values: eight a line (two ranks of a half board), or one line where that is enough."""
    if len(text := f"        {tuple(values)},") <= LINE_LENGTH:
        return [text]
    rows = [values[start : start + COLUMNS] for start in range(0, len(values), COLUMNS)]
    return ["        (", *("            " + ", ".join(str(value) for value in row) + "," for row in rows), "        ),"]


def write_weights(path: Path, tapered: Tapered, safety: Mapping[str, int]) -> None:
    """Replace the file at `path` by the given weights."""
    path.write_text(weights_source(tapered, safety), encoding="utf-8")
