"""What a run tunes: the numbers of the search at fixed nodes, or those of the time manager on a clock of nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine88.search.param_ranges import parameters
from engine88.training.selfplay.game import GameRules
from engine88.training.selfplay.player import SharedNetwork
from engine88.training.tuning.clock_games import ClockGameSettings, play_clock_task
from engine88.training.tuning.spsa import Dimension, dimension
from engine88.training.tuning.time_numbers import PREFIX, source_values, time_dimensions
from engine88.training.tuning.tuning_games import PairTask, TuningSettings, play_pair_task

FIXED: Final = {
    "CORRECTION_SHIFT",
    "HISTORY_LIMIT",
    "CAPTURE_HISTORY_LIMIT",
    "CONTINUATION_HISTORY_LIMIT",
    "PAWN_HISTORY_LIMIT",
    "CORRECTION_LIMIT",
}
"""Units of other numbers: to move them moves all those."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of run: what moves, what the games need, who plays them, and how values are written in `params.py`."""

    dimensions: list[Dimension]
    settings: TuningSettings | ClockGameSettings
    play: Callable[[Any, SharedNetwork, PairTask], int]
    limit: str
    texts: Callable[[Sequence[str], Sequence[int]], dict[str, str]]

    def made_with(self) -> dict[str, Any]:
        """What of it decides the games, besides the values of the numbers."""
        made: dict[str, Any] = {"rules": self.settings.rules._asdict()}
        if isinstance(self.settings, ClockGameSettings):
            made["clock"] = f"{self.settings.base_nodes}+{self.settings.increment_nodes}"
        return made


def at_nodes(prefixes: Sequence[str], rules: GameRules) -> Kind:
    """Tune the search by moves of so many nodes each."""
    dimensions = search_dimensions(prefixes)
    settings = TuningSettings(tuple(one.name for one in dimensions), rules)
    limit = f"{rules.soft_nodes:,} nodes a move"
    return Kind(dimensions, settings, play_pair_task, limit, _whole)


def on_clock(prefixes: Sequence[str], clock: str, rules: GameRules) -> Kind:
    """Tune the time manager by games on a clock, `BASE+INCREMENT` in nodes; raises ValueError for no clock."""
    base, _, increment = clock.partition("+")
    if not (base.isdecimal() and increment.isdecimal() and int(base) > 0):
        raise ValueError(f"--clock must be nodes, like 500000+5000, not {clock!r}")
    dimensions = time_dimensions(prefixes)
    settings = ClockGameSettings(tuple(one.name for one in dimensions), int(base), int(increment), rules)
    limit = f"a clock of {clock} nodes"
    return Kind(dimensions, settings, play_clock_task, limit, source_values)


def search_dimensions(prefixes: Sequence[str]) -> list[Dimension]:
    """The whole numbers of the search whose names begin so; raises ValueError where there are none."""
    found = [
        dimension(one.name, one.value, one.low, one.high)
        for one in parameters()
        if isinstance(one.value, int)
        and not one.name.startswith(PREFIX)
        and one.name not in FIXED
        and one.name.startswith(tuple(prefixes) or "")
    ]
    if not found:
        raise ValueError(f"no number of the search begins with {' or '.join(prefixes)}; they are in params.py")
    return found


def _whole(names: Sequence[str], values: Sequence[int]) -> dict[str, str]:
    return dict(zip(names, map(str, values), strict=True))
