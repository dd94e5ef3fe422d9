"""The numbers of the time manager as dimensions of a run: whole ones as they are, others in thousandths.

An element of a tuple is a dimension of its own, `TIME_STABILITY_FACTOR[2]`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Final

from engine88.control.time_manager import SHIPPED, TimeParams
from engine88.search.param_ranges import parameters
from engine88.training.tuning.spsa import Dimension, dimension

THOUSANDTHS: Final = 1000
PREFIX: Final = "TIME_"
FIXED: Final = {
    "TIME_MOVES_RESERVED", "TIME_HARD_SHARE_LAST_MOVE", "TIME_MIN_MS", "TIME_MOVETIME_KEEP_MS",
    "TIME_MOVETIME_KEEP_SHARE", "TIME_FORCED_DEPTH",
}  # fmt: skip
"""What a game on a clock without overhead and without moves to go never shows."""


def time_dimensions(prefixes: Sequence[str] = ()) -> list[Dimension]:
    """The numbers whose names begin so, all of them without a prefix; raises ValueError where there are none."""
    found = [
        dimension(name, round(value * unit), one.low * unit, one.high * unit)
        for one in parameters()
        if one.name.startswith(PREFIX) and one.name not in FIXED and one.name.startswith(tuple(prefixes) or "")
        for name, value, unit in _elements(one.name)
    ]
    if not found:
        raise ValueError(
            f"no number of the time manager that a game on a clock shows begins with {' or '.join(prefixes)}; "
            "they are in params.py as TIME_..."
        )
    return found


def time_params(names: Iterable[str], values: Iterable[int]) -> TimeParams:
    """The shipped numbers with these instead."""
    changed = {field.name: getattr(SHIPPED, field.name) for field in fields(SHIPPED)}
    for name, value in zip(names, values, strict=True):
        field, index = _place(name)
        old = changed[field]
        if isinstance(old, tuple):
            changed[field] = (*old[:index], value / THOUSANDTHS, *old[index + 1 :])
        else:
            changed[field] = value if isinstance(old, int) else value / THOUSANDTHS
    return TimeParams(**changed)


def source_values(names: Sequence[str], values: Sequence[int]) -> dict[str, str]:
    """Return the text of these numbers in `params.py`, by name."""
    params = time_params(names, values)
    constants = dict.fromkeys(name.split("[")[0] for name in names)
    return {name: repr(getattr(params, _place(name)[0])) for name in constants}


def _elements(constant: str) -> list[tuple[str, float, int]]:
    """Name, value and unit of each number of a constant."""
    value: int | float | tuple[float, ...] = getattr(SHIPPED, _place(constant)[0])
    if isinstance(value, tuple):
        return [(f"{constant}[{index}]", one, THOUSANDTHS) for index, one in enumerate(value)]
    return [(constant, value, 1 if isinstance(value, int) else THOUSANDTHS)]


def _place(name: str) -> tuple[str, int]:
    """The field of `TimeParams` that a dimension belongs to, and its index there."""
    found = re.fullmatch(rf"{PREFIX}(\w+?)(?:\[(\d+)\])?", name)
    if found is None:
        raise ValueError(f"{name} is not a number of the time manager")
    return found[1].lower(), int(found[2] or 0)
