"""Draws docs/pictures/versions.svg and ladder.svg from the matches in docs/pictures/strength.csv; needs matplotlib.

    python -m benchmarks.strength_pictures

One row a match: Elo of engine88 against the engine named (ladder), or of a version against commit 9319129 (versions),
with the ends of its 95 % bar. docs/strength.md says how each was played.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
TITLES = {
    "versions": "Elo against commit 9319129, one thread",
    "ladder": "Elo against other engines, with the network and before it",
}


@dataclass(frozen=True)
class Match:
    """One match: Elo with the ends of its 95 % bar; `games` is 0 for the version that the others are measured by."""

    picture: str
    name: str
    condition: str
    games: int
    elo: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """What stands beside the bar."""
        played = f", {self.games} games" if self.games else ""
        return f"{self.name}\n{self.condition}{played}"


def read_matches(path: Path) -> list[Match]:
    """The rows of the file; raises ValueError for a bar that does not hold its Elo."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    matches = [
        Match(
            row["picture"],
            row["name"],
            row["condition"],
            int(row["games"] or 0),
            float(row["elo"]),
            float(row["low"]),
            float(row["high"]),
        )
        for row in rows
    ]
    for match in matches:
        if not match.low <= match.elo <= match.high or match.picture not in TITLES:
            raise ValueError(
                f"{path}: {match.name}, {match.condition}: the bar does not hold its Elo, or no such picture"
            )
    return matches


def draw(matches: list[Match], title: str, path: Path) -> None:
    """One line a match, its bar and its figure."""
    figure = Figure(figsize=(8, 0.6 + 0.55 * len(matches)), layout="constrained")
    axes = figure.subplots()
    for place, match in enumerate(reversed(matches)):
        axes.plot([match.low, match.high], [place, place], color="#2f6f9f", linewidth=2)
        axes.plot([match.elo], [place], "o", color="#2f6f9f")
        axes.annotate(f"{match.elo:+.0f}", (match.elo, place), xytext=(0, 6), textcoords="offset points", ha="center")
    axes.set_yticks(range(len(matches)), [match.label for match in reversed(matches)])
    axes.set_ylim(-0.6, len(matches) - 0.2)
    axes.axvline(0, color="#888888", linewidth=1)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    axes.set_title(title, loc="left", fontsize=11)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    with mpl.rc_context({"svg.hashsalt": "bot88"}):  # the same picture at each run
        figure.savefig(path, metadata={"Date": None})


def main(folder: Path = PICTURES) -> int:
    """Draw all pictures."""
    matches = read_matches(folder / "strength.csv")
    for name, title in TITLES.items():
        draw([match for match in matches if match.picture == name], title, folder / f"{name}.svg")
        print(f"wrote {folder / name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
