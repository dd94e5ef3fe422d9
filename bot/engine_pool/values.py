"""Values of the pool: requirements, answers with their last info line, snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.engine

from bot.errors import EngineError, EngineProtocolError


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The last `info` line with a score, which is for the side to move; None: not reported."""

    depth: int | None = None
    score: chess.engine.Score | None = None
    nodes: int | None = None
    nps: int | None = None
    pv: tuple[str, ...] = ()


#: Texts of `info string` that the bot acts on: the first one as the beginning of a text, as Stockfish writes it, too.
ERROR, OFFERS_DRAW, RESIGNS = "ERROR:", "offers a draw", "resigns"
CLOCK_SHARE = 0.25  # of the remaining clock for one search, beside the increment
MAX_CLOCK_SHARE = 0.7  # the same with the increment: the rest is for the process that replaces a faulty one
MATE_CP = 32_000  # a mate in n moves counts as so many centipawns less n


def centipawns(score: chess.engine.Score | None) -> int | None:
    """Return a score as one number, a mate as one beyond thirty thousand."""
    return None if score is None else score.score(mate_score=MATE_CP)


def score_text(score: chess.engine.Score | chess.engine.PovScore | None, side: chess.Color = chess.WHITE) -> str:
    """Return a score in pawns, such as "+0.34", or the moves to mate, such as "#3" or "#-2"; "" without a score.

    A PovScore is shown for `side`.
    """
    if score is None:
        return ""
    ours = score.pov(side) if isinstance(score, chess.engine.PovScore) else score
    score_cp = ours.score()
    return f"#{ours.mate()}" if score_cp is None else f"{score_cp / 100:+.2f}"


_NUMBERS = ("depth", "nodes", "nps")
_SCORES: Mapping[str, Callable[[int], chess.engine.Score]] = {"cp": chess.engine.Cp, "mate": chess.engine.Mate}


def parse_info(line: str) -> EngineInfo:
    """Parse the fields of one `info ...` line; what cannot be read is left out, never an error."""
    words = line.split()
    found: dict[str, Any] = {}
    for index, word in enumerate(words):
        if word == "string":
            break
        if word == "pv":
            found["pv"] = tuple(words[index + 1 :])
            break
        if word in _NUMBERS:
            found[word] = _number(words, index + 1)
        elif word == "score":
            kind, number = _SCORES.get("".join(words[index + 1 : index + 2])), _number(words, index + 2)
            if kind is not None and number is not None:
                found["score"] = kind(number)
    return EngineInfo(**found)


def _number(words: list[str], index: int) -> int | None:
    try:
        return int(words[index])
    except (IndexError, ValueError):
        return None


OptionValue = str | int | float | bool | None


class IllegalMove(EngineProtocolError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """The engine's move is illegal in the position or no move at all, or the engine says that it has none."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a game asks of its engine.

    `names`: entries that may serve it, any entry when empty; `in_order`: the names are in order of preference (else
    games spread over them by load), the next one serves when one is full or fails; `options`: set for this game on top
    of the entry's own, as far as the engine has them; `variant`: as python-chess spells it for UCI ("chess",
    "crazyhouse", ...); `chess960`: castling in that notation; `elo`: the strength to play at, as near as an engine with
    `UCI_LimitStrength` can, None for all it has.
    """

    names: tuple[str, ...] = ()
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    variant: str = "chess"
    chess960: bool = False
    in_order: bool = False
    elo: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one search.

    `move` is legal, and None exactly when `error` says why no engine, the fallback included, could give one.
    `elapsed_ms`: from the call of `play` to the callback; `replaced`: how many processes failed on the way.
    `source`: what gave the move instead of an engine, such as "book"; `wdl`: what a tablebase among these says of the
    position for the side to move (2 win, 1 win but for the fifty-move rule, 0 draw, -1, -2). `notes`: the engine's
    errors, draw offer and resignation, as it wrote them after `info string`.
    """

    move: chess.Move | None
    info_line: str = ""
    engine: str = ""
    elapsed_ms: float = 0.0
    replaced: int = 0
    error: EngineError | None = None
    source: str = ""
    wdl: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Errors that the engine reported during the search."""
        return tuple(note.removeprefix(ERROR).strip() for note in self.notes if note.startswith(ERROR))

    @property
    def info(self) -> EngineInfo:
        """Depth, score and variation as the engine last reported them; parsed at each call."""
        return parse_info(self.info_line)


@dataclass(frozen=True, slots=True)
class EntrySnapshot:
    """One entry as the dashboard shows it.

    `leased`: games served; `idle`, `starting`: processes now; `replaced`: processes that failed since the pool's start.
    """

    name: str
    slots: int
    leased: int
    idle: int
    starting: int
    replaced: int
    pids: tuple[int, ...]
    last_error: str = ""
