"""The figures: a line for each room, with the share that was noticed and its error bar, and every survivor."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.mutation.mutants import Mutant
from benchmarks.mutation.trial import Trial, Verdict

Z = 1.96  # 95 % of a normal distribution lie within


@dataclass(frozen=True, slots=True)
class RoomResult:
    """What was tried in a room, out of how many spots in the source."""

    room: str
    spots: int
    tried: Sequence[tuple[Mutant, Trial]]

    def count(self, *verdicts: Verdict) -> int:
        """How many mutants came to one of the verdicts."""
        counts = Counter(trial.verdict for _mutant, trial in self.tried)
        return sum(counts[verdict] for verdict in verdicts)


def interval(noticed: int, tried: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, which holds for small samples and shares near one."""
    if not tried:
        return 0.0, 1.0
    share, square = noticed / tried, Z * Z / tried
    middle = (share + square / 2) / (1 + square)
    half = Z / (1 + square) * math.sqrt(share * (1 - share) / tried + square / (4 * tried))
    return max(0.0, middle - half), min(1.0, middle + half)


def table(results: Iterable[RoomResult]) -> list[str]:
    """A Markdown table, one row a room and their sum; unclear ones count neither way."""
    lines = [
        "| room | spots | tried | a test failed | hung | survived | no test executes it | unclear | noticed |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    results = list(results)
    rows = [(f"`{one.room}`", one.spots, [one]) for one in results]
    rows.append(("all", sum(one.spots for one in results), results))
    for name, spots, parts in rows:
        failed, hung, survived, unexecuted, unclear = (
            sum(one.count(verdict) for one in parts)
            for verdict in (Verdict.FAILED, Verdict.HUNG, Verdict.SURVIVED, Verdict.UNEXECUTED, Verdict.UNCLEAR)
        )
        tried = failed + hung + survived + unexecuted
        low, high = interval(failed + hung, tried)
        share = f"{100 * (failed + hung) / tried:.0f} % ({100 * low:.0f} to {100 * high:.0f})" if tried else "-"
        cells = (name, spots, tried, failed, hung, survived, unexecuted, unclear, share)
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return lines


def survivors(result: RoomResult) -> list[str]:
    """The change of each mutant that was not noticed, with the verdict."""
    lines = []
    for mutant, trial in result.tried:
        if not trial.verdict.noticed:
            test = f" ({trial.test})" if trial.test else ""
            lines += [f"{mutant.name}: {trial.verdict.value}, {trial.chosen} tests{test}"]
            lines += [f"    {line}" for line in mutant.change()]
    return lines
