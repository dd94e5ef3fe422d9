"""Parsing of UCI commands and formatting of UCI output, as pure functions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from engine88 import __version__
from engine88.contract import MAX_COUNT, MAX_DEPTH, Limits, SearchInfo, SearchProgress, SearchResult, StaticEvaluation

NAME = f"engine88 {__version__}"

_NUMBERS = {
    "depth": "depth",
    "nodes": "nodes",
    "movetime": "movetime_ms",
    "wtime": "wtime_ms",
    "btime": "btime_ms",
    "winc": "winc_ms",
    "binc": "binc_ms",
    "movestogo": "movestogo",
    "mate": "mate",
}
_FLAGS = ("infinite", "ponder")
_LEAST = {"depth": 1, "nodes": 1, "mate": 1, "wtime": -MAX_COUNT, "btime": -MAX_COUNT}
"""The least value of a number of `go` that is not 0."""
_KEYWORDS = {*_NUMBERS, *_FLAGS, "perft", "searchmoves"}
_FEN_FIELDS = 6
_MOST_DIGITS = 18
MISTAKE_MOVETIME_MS = 100
"""How long a `go` with a mistake may think: its other limits may never end the search."""


class UciError(ValueError):
    """A command that cannot be obeyed; the message names the word and what was expected."""


@dataclass(frozen=True, slots=True)
class PositionCommand:
    """``position``: a FEN, None for the start position, and the moves played from there."""

    fen: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoCommand:
    """``go``: the limits that make sense, and a text that names the first one that does not."""

    limits: Limits
    mistake: str = ""

    def with_mistake(self, mistake: str) -> "GoCommand":
        """Return the command limited to MISTAKE_MOVETIME_MS, so that it is answered whatever its limits are."""
        movetime_ms = min(self.limits.movetime_ms or MISTAKE_MOVETIME_MS, MISTAKE_MOVETIME_MS)
        return GoCommand(replace(self.limits, movetime_ms=movetime_ms), self.mistake or mistake)


@dataclass(frozen=True, slots=True)
class PerftCommand:
    """``go perft N``."""

    depth: int


def parse_position(words: Sequence[str]) -> PositionCommand:
    """Read what follows ``position``; raises UciError."""
    split = words.index("moves") if "moves" in words else len(words)
    root, moves = words[:split], tuple(words[split + 1 :])
    if not root:
        raise UciError("position: expected 'startpos' or 'fen'")
    if root[0] == "startpos":
        if len(root) > 1:
            raise UciError(f"position: expected 'moves' after 'startpos', not {root[1]!r}")
        return PositionCommand(None, moves)
    if root[0] != "fen":
        raise UciError(f"position: expected 'startpos' or 'fen', not {root[0]!r}")
    if not 1 < len(root) <= _FEN_FIELDS + 1:
        raise UciError(f"position: a FEN has {_FEN_FIELDS} fields, here are {len(root) - 1}")
    return PositionCommand(" ".join(root[1:]), moves)


def parse_go(words: Sequence[str]) -> GoCommand | PerftCommand:
    """Read what follows ``go``. Words that make no sense are skipped; the first of them is named as the mistake."""
    values: dict[str, Any] = {}
    mistake = ""
    index = 0
    while index < len(words):
        try:
            if words[index] == "perft":
                return PerftCommand(_number(words, index))
            index = _read_limit(words, index, values)
        except UciError as error:
            mistake = mistake or str(error)
            index += 1
    command = GoCommand(Limits(**values))
    return command.with_mistake(mistake) if mistake else command


def _read_limit(words: Sequence[str], index: int, values: dict[str, Any]) -> int:
    """Read the limit that begins at `index` into `values`; return the index of the word after it."""
    word = words[index]
    if word in _NUMBERS:
        values[_NUMBERS[word]] = _number(words, index)
        return index + 2
    if word in _FLAGS:
        values[word] = True
        return index + 1
    if word != "searchmoves":
        raise UciError(f"go: unknown word {word[:40]!r}")
    moves = tuple(takewhile(lambda word: word not in _KEYWORDS, words[index + 1 :]))
    if not moves:
        raise UciError("go: 'searchmoves' needs at least one move")
    values["searchmoves"] = moves
    return index + 1 + len(moves)


def _number(words: Sequence[str], index: int) -> int:
    """Read the whole number that must follow the word at `index`."""
    word = words[index]
    if index + 1 == len(words):
        raise UciError(f"go: {word!r} needs a number")
    text = words[index + 1]
    number = whole_number(text)
    if number is None:
        raise UciError(f"go: {word!r} needs a whole number, not {text[:40]!r}")
    least, most = _LEAST.get(word, 0), MAX_DEPTH if word == "perft" else MAX_COUNT
    if not least <= number <= most:
        raise UciError(f"go: {word!r} must be from {least} to {most}, not {text[:40]}")
    # Some GUIs ask for depth 255 when they mean "as deep as you can".
    return min(number, MAX_DEPTH) if word == "depth" else number


def whole_number(text: str) -> int | None:
    """Read a whole number, None if the text is not one. A very long one is read as 10**18."""
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS
    return -number if text.startswith("-") else number


def parse_setoption(words: Sequence[str]) -> tuple[str, str | None]:
    """Read ``name NAME [value VALUE]``; the value is None for a button.  Raises UciError."""
    if len(words) < 2 or words[0] != "name":
        raise UciError("setoption: expected 'name NAME [value VALUE]'")
    split = words.index("value") if "value" in words else len(words)
    name = " ".join(words[1:split])
    if not name:
        raise UciError("setoption: the name is missing")
    return name, " ".join(words[split + 1 :]) if split < len(words) else None


def info_line(info: SearchInfo) -> str:
    """Write an info as UCI wants it."""
    score = f"mate {info.mate}" if info.mate is not None else f"cp {info.score_cp}"
    bound = "" if info.bound == "exact" else f" {info.bound}bound"
    wdl = f" wdl {info.wdl.win} {info.wdl.draw} {info.wdl.loss}" if info.wdl is not None else ""
    if not info.pv:
        return f"info depth {info.depth} score {score}{bound}{wdl}"
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} score {score}{bound}{wdl}"
        f" nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} time {info.time_ms} pv {' '.join(info.pv)}"
    )


def progress_lines(progress: SearchProgress) -> Iterator[str]:
    """Write the progress of a search: the current move, if known, and the counts."""
    if progress.current_move is not None:
        yield f"info depth {progress.depth} currmove {progress.current_move}"
    yield f"info nodes {progress.nodes} nps {progress.nps} hashfull {progress.hashfull} time {progress.time_ms}"


def bestmove_line(result: SearchResult) -> str:
    """Write the answer; without a legal move it is ``(none)``, as GUIs know it."""
    if result.best_move is None:
        return "bestmove (none)"
    return f"bestmove {result.best_move}" + (f" ponder {result.ponder_move}" if result.ponder_move else "")


def evaluation_lines(evaluation: StaticEvaluation | None) -> Iterator[str]:
    """Write a static evaluation as a table in pawns, seen from White; None says that the side to move is in check."""
    if evaluation is None:
        yield "Final evaluation: none (in check)"
        return
    if evaluation.terms:
        yield f"{'Term (White - Black)':24}{'middlegame':>12}{'endgame':>12}"
        for term in evaluation.terms:
            yield f"{term.name:24}{term.middlegame_cp / 100:+12.2f}{term.endgame_cp / 100:+12.2f}"
    yield f"Final evaluation: {evaluation.white_cp / 100:+.2f} (white side)"
