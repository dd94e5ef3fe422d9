"""The file of a tuning run: one digit for each pair of games, the half points of its first setting.

Everything else follows from the settings beside it and the number of the pair.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from engine88.training.selfplay.run_file import Progress, RunFileError, keep_settings

_DIGITS: Final = b"01234"


def read_results(out: Path) -> list[int]:
    """The half points of each pair so far; raises RunFileError for a file of something else."""
    data = out.read_bytes()
    if data.strip(_DIGITS):
        raise RunFileError(f"{out}: holds more than results of pairs (digits 0 to 4); name another file")
    return [digit - _DIGITS[0] for digit in data]


def begun_results(out: Path, made_with: dict[str, Any]) -> list[int]:
    """The results of a run that was begun with the same settings; raises RunFileError for anything else."""
    keep_settings(out, made_with)
    return read_results(out)


def written(descriptor: int, results: Iterator[int], begun: int, pairs: int) -> Iterator[tuple[int, str | None]]:
    """Write each result and yield it, with a line of progress now and then; raises OSError if the disk is full."""
    progress = Progress(2 * pairs)
    for number, half_points in enumerate(results, begun + 1):
        if os.write(descriptor, _DIGITS[half_points : half_points + 1]) != 1:
            raise OSError("a result could not be written; is the disk full?")
        yield half_points, progress.games_line() if progress.is_due(2 * number, 0) else None
