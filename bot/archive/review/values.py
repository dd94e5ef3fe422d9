"""What a review says of a game: scores, losses and judgements, and the file of finished reviews.

The formulas are Lichess's, https://lichess.org/page/accuracy. The chance to win in percent is
50 + 50 * (2 / (1 + exp(-0.00368208 * centipawns)) - 1); a move's accuracy in percent is
103.1668 * exp(-0.04354 * (chance before - chance after)) - 3.1669, at most 100, both for the mover. The accuracy of
several moves is their arithmetic mean here; Lichess's figure for a game weights them by how sharp the position was.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

import chess
import structlog
from chess.engine import PovScore

from bot.archive.pgn import score_of
from bot.errors import ConfigurationError

REVIEWS = "reviews.jsonl"  # the name of the file of finished reviews
#: Scores beyond, mates among them, count as this many centipawns.
MOST_CP = 1000
#: Losses in percent of winning chance from which a move is called so, the worst first; Lichess names them alike.
_JUDGEMENTS = ((15.0, "blunder"), (10.0, "mistake"), (5.0, "inaccuracy"))

PHASES = ("opening", "middlegame", "endgame")
#: Half-moves that can belong to the opening.
OPENING_PLIES = 20
#: Queens, rooks, bishops and knights on the board: with more it may be the opening, with so many or fewer the endgame.
OPENING_PIECES = 10
ENDGAME_PIECES = 6

log = structlog.get_logger(__name__)


def winning_chance(score: PovScore, side: chess.Color) -> float:
    """Return the chance of a side to win, in percent."""
    clipped = max(-MOST_CP, min(MOST_CP, score.pov(side).score(mate_score=2 * MOST_CP)))
    return 50.0 + 50.0 * (2.0 / (1.0 + math.exp(-0.00368208 * clipped)) - 1.0)


def move_accuracy(loss: float) -> float:
    """Return a move's accuracy in percent from what it cost of the mover's chance to win, in percent."""
    return 100.0 if loss <= 0.0 else max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * loss) - 3.1669))


def phase_of(board: chess.Board, ply: int) -> str:
    """Return the phase in which the `ply`-th half-move of a game, counted from 1, is made from this position."""
    heavy_and_light = chess.popcount(board.occupied & ~(board.pawns | board.kings))
    if heavy_and_light <= ENDGAME_PIECES:
        return "endgame"
    return "opening" if ply <= OPENING_PLIES and heavy_and_light > OPENING_PIECES else "middlegame"


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a reviewed game: scores before and after it, and the line that the engine preferred, in SAN."""

    ply: int
    number: int
    is_white: bool
    is_ours: bool
    san: str
    phase: str
    before: PovScore
    after: PovScore
    better: tuple[str, ...]
    spent_ms: int | None
    clock_ms: int | None

    @property
    def loss(self) -> float:
        """What it cost of the mover's chance to win, in percent; the engine's own move costs nothing."""
        if self.better[:1] == (self.san,):
            return 0.0
        return max(0.0, winning_chance(self.before, self.is_white) - winning_chance(self.after, self.is_white))

    @property
    def accuracy(self) -> float:
        """In percent; see move_accuracy."""
        return move_accuracy(self.loss)

    @property
    def judgement(self) -> str:
        """Return "blunder", "mistake", "inaccuracy" or ""."""
        loss = self.loss
        return next((name for least, name in _JUDGEMENTS if loss >= least), "")

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
        """Return it as one line; scores are from White's side."""
        return json.dumps(asdict(self), default=_score_json, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> GameReview:
        """Read such a line. Raises ValueError."""
        try:
            data = json.loads(line)
            moves = tuple(_move(**entry) for entry in data.pop("moves"))
            return cls(**data, moves=moves)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"no review: {error}") from error


def _score_json(score: PovScore) -> dict[str, int | None]:
    white = score.white()
    return {"cp": white.score(), "mate_in": white.mate()}


def _move(before: dict[str, Any], after: dict[str, Any], better: list[str], **others: Any) -> ReviewedMove:
    if not isinstance(better, list):
        raise TypeError("a move without a line")
    return ReviewedMove(before=_score(**before), after=_score(**after), better=tuple(map(str, better)), **others)


def _score(cp: int | None = None, mate_in: int | None = None) -> PovScore:
    score = score_of(cp, mate_in, chess.WHITE)
    if score is None:
        raise TypeError("a move without a score")
    return score


class ReviewsFile:
    """Reviews by game, of one engine and number of nodes; those of others stay in the file. Use it as a context.

    Each review is one line, written as its game is done, so that the work can be resumed.
    """

    def __init__(self, path: Path, entry: str, nodes: int) -> None:
        """Read what is there. Raises ConfigurationError where the file cannot be used."""
        self.path = path
        self.reviews: dict[str, GameReview] = {}
        self._wanted = (entry, nodes)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._read()
            self._file: TextIO = path.open("a", encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path}: cannot be used for reviews: {error}") from error

    def __enter__(self) -> ReviewsFile:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def add(self, review: GameReview) -> None:
        """Keep a review; it is in the file when this returns."""
        self.reviews[review.game_id] = review
        self._file.write(review.to_json() + "\n")
        self._file.flush()

    def _read(self) -> None:
        data = self.path.read_bytes() if self.path.exists() else b""
        if not data.endswith(b"\n"):  # the process was killed while it wrote, perhaps within a letter
            data = data[: data.rfind(b"\n") + 1]
            self.path.write_bytes(data)
        lines = data.decode().split("\n")  # a name may contain other separators
        for number, line in enumerate(lines[:-1], 1):
            try:
                review = GameReview.from_json(line)
            except ValueError as error:
                log.warning("review_ignored", file=str(self.path), line=number, error=str(error))
                continue
            if (review.entry, review.nodes) == self._wanted:
                self.reviews[review.game_id] = review


def find_review(path: Path, game_id: str) -> GameReview | None:
    """Return the most thorough review of a game in a file of reviews, None if there is none or the file is missing."""
    found: GameReview | None = None
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                review = GameReview.from_json(line) if game_id in line else None
                if review is not None and review.game_id == game_id and (found is None or review.nodes >= found.nodes):
                    found = review
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        log.warning("review_ignored", file=str(path), error=str(error))
    return found
