"""Who plays whom in the next round of a swiss: nobody twice, near in points, colours in turn. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_TRIES = 20_000


@dataclass(frozen=True)
class Entrant:
    """Somebody to pair. `balance`: games with White less games with Black; `had_white`: the colour of the last game."""

    id: str
    points: float
    met: frozenset[str] = frozenset()
    balance: int = 0
    had_white: bool | None = None
    had_bye: bool = False


@dataclass(frozen=True)
class Round:
    """The games of a round as (White, Black), and who has no opponent."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def pair(ranked: Sequence[Entrant]) -> Round | None:
    """The next round of these players, best first; None when nobody is left to play whom they have not met."""
    if len(ranked) < 2:
        return None
    if len(ranked) % 2 == 0:
        matched = _Search(ranked).run()
        return None if matched is None else Round(_colored(matched))
    for out in [one for one in reversed(ranked) if not one.had_bye]:
        matched = _Search([one for one in ranked if one is not out]).run()
        if matched is not None:
            return Round(_colored(matched), out.id)
    return None


class _Search:
    """Pairs from the top down and goes back where somebody lower would be left with nobody new."""

    def __init__(self, ranked: Sequence[Entrant]) -> None:
        self._ranked = ranked
        self._tries = 0

    def run(self) -> list[tuple[Entrant, Entrant]] | None:
        """Everybody's opponents; None when there is no way, or none was found within the allowed tries."""
        return self._match(list(self._ranked))

    def _match(self, free: list[Entrant]) -> list[tuple[Entrant, Entrant]] | None:
        if not free:
            return []
        self._tries += 1
        if self._tries > MOST_TRIES:
            return None
        first, rest = free[0], free[1:]
        for second in _by_preference(first, rest):
            below = self._match([one for one in rest if one is not second])
            if below is not None:
                return [(first, second), *below]
        return None


def _by_preference(first: Entrant, rest: Sequence[Entrant]) -> list[Entrant]:
    """Opponents of the first: of its own points the upper half against the lower one, then the next points."""
    new = [one for one in rest if one.id not in first.met]
    equal = [one for one in new if one.points == first.points]
    middle = max(0, (len(equal) + 1) // 2 - 1)
    lower = [one for one in new if one.points != first.points]
    wanted = [*equal[middle:], *reversed(equal[:middle]), *lower]
    return sorted(wanted, key=lambda one: (_distance(first, one), _clash(first, one)))


def _distance(first: Entrant, other: Entrant) -> float:
    return abs(first.points - other.points)


def _clash(first: Entrant, other: Entrant) -> bool:
    """Whether both are owed the same colour."""
    return first.balance == other.balance != 0


def _colored(matched: Sequence[tuple[Entrant, Entrant]]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for board, (one, other) in enumerate(matched):
        if one.balance != other.balance:
            white_first = one.balance < other.balance
        elif one.had_white != other.had_white:
            white_first = other.had_white is True or one.had_white is False
        else:
            white_first = board % 2 == 0 if one.had_white is None else not one.had_white
        pairs.append((one.id, other.id) if white_first else (other.id, one.id))
    return tuple(pairs)
