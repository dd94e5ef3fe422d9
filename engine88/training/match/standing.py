"""Where a match stands: its pairs counted, and one line about them."""

from collections import Counter
from collections.abc import Iterable

from engine88.training.match.match_file import PlayedPair
from engine88.training.match.statistics import Sprt, log_likelihood_ratio, statistics


class Standing:
    """Counts pairs; `pentanomial[i]` pairs gave the first engine i half points, `reasons` says how games ended."""

    def __init__(self, pairs: Iterable[PlayedPair] = ()) -> None:
        """Begin with the pairs that were played before."""
        self.pentanomial = [0] * 5
        self._games = [0] * 3
        self.reasons: Counter[str] = Counter()
        for pair in pairs:
            self.add(pair)

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self.pentanomial)

    def add(self, pair: PlayedPair) -> None:
        """Count one more."""
        self.pentanomial[sum(pair.half_points)] += 1
        for half_points in pair.half_points:
            self._games[half_points] += 1
        self.reasons.update(pair.reasons)

    def line(self, sprt: Sprt | None) -> str:
        """Games, results, Elo with 95 % bars, and the test if there is one."""
        found = statistics(self.pentanomial)
        lost, drawn, won = self._games
        text = (
            f"{2 * self.pairs} games: +{won} ={drawn} -{lost}, pairs {self.pentanomial}, {100 * found.score:.1f} %, "
            f"Elo {found.elo:+.1f} ({found.elo_low:+.1f} to {found.elo_high:+.1f}), "
            f"normalised {found.normalised_elo:+.1f} +-{found.normalised_bar:.1f}, "
            f"superior {100 * found.superiority:.1f} %"
        )
        if sprt is None:
            return text
        low, high = sprt.bounds
        ratio = log_likelihood_ratio(self.pentanomial, sprt)
        return f"{text}, LLR {ratio:+.2f} ({low:.2f} to {high:.2f}) [{sprt.elo0:g}, {sprt.elo1:g}]"

    def endings(self) -> str:
        """How the games ended, the most frequent first."""
        return ", ".join(f"{count} {reason}" for reason, count in self.reasons.most_common())
