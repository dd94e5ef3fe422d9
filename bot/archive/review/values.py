"""What a review says of a game, and how it is written down."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from bot.archive.review.accuracy import judgement, move_accuracy, winning_chance


@dataclass(frozen=True, slots=True)
class Score:
    """An engine's score from White's side: centipawns, or moves to mate."""

    cp: int | None = None
    mate_in: int | None = None

    def chance(self, *, for_white: bool) -> float:
        """Return the chance of a side to win, in percent."""
        chance = winning_chance(self.cp, self.mate_in)
        return chance if for_white else 100.0 - chance

    def __str__(self) -> str:
        if self.mate_in is not None:
            return f"#{self.mate_in}"
        return "?" if self.cp is None else f"{self.cp / 100:+.2f}"


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a reviewed game: scores before and after it, and the line that the engine preferred, in SAN."""

    ply: int
    number: int
    is_white: bool
    is_ours: bool
    san: str
    phase: str
    before: Score
    after: Score
    better: tuple[str, ...]
    spent_ms: int | None
    clock_ms: int | None

    @property
    def is_best(self) -> bool:
        """Whether it is the engine's own move."""
        return self.better[:1] == (self.san,)

    @property
    def loss(self) -> float:
        """What it cost of the mover's chance to win, in percent; the engine's own move costs nothing."""
        if self.is_best:
            return 0.0
        white = self.is_white
        return max(0.0, self.before.chance(for_white=white) - self.after.chance(for_white=white))

    @property
    def accuracy(self) -> float:
        """In percent; see accuracy."""
        return move_accuracy(self.loss, 0.0)

    @property
    def judgement(self) -> str:
        """Return "blunder", "mistake", "inaccuracy" or ""."""
        return judgement(self.loss, 0.0)

    def __str__(self) -> str:
        return f"{self.number}{'.' if self.is_white else '...'}{self.san}"


@dataclass(frozen=True, slots=True)
class GameReview:
    """A reviewed game; `engine` is what the engine calls itself, `entry` its name in the configuration."""

    game_id: str
    entry: str
    engine: str
    nodes: int
    moves: tuple[ReviewedMove, ...]

    def to_json(self) -> str:
        """Return it as one line."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> GameReview:
        """Read such a line. Raises ValueError."""
        try:
            data = json.loads(line)
            moves = tuple(_move(entry) for entry in data.pop("moves"))
            return cls(**data, moves=moves)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"no review: {error}") from error


def _move(data: dict[str, object]) -> ReviewedMove:
    before, after, better = data.pop("before"), data.pop("after"), data.pop("better")
    if not isinstance(before, dict) or not isinstance(after, dict) or not isinstance(better, list):
        raise TypeError("a move without scores")
    scores = {"before": Score(**before), "after": Score(**after), "better": tuple(map(str, better))}
    return ReviewedMove(**scores, **data)  # type: ignore[arg-type]  # a missing or unknown field raises TypeError
