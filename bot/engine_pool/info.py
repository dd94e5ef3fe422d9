"""Parsing an engine's `info` line, done only on demand: a long variation must not delay the move that follows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The last `info` line with a score; scores are for the side to move, None: not reported."""

    depth: int | None = None
    seldepth: int | None = None
    score_cp: int | None = None
    mate: int | None = None
    nodes: int | None = None
    nps: int | None = None
    time_ms: int | None = None
    hashfull: int | None = None
    wdl: tuple[int, int, int] | None = None
    pv: tuple[str, ...] = ()

    def centipawns(self, mate_score: int = 32000) -> int | None:
        """The score as one number; a mate in n moves counts as `mate_score - n` (negative when being mated)."""
        if self.mate is not None:
            return mate_score - self.mate if self.mate > 0 else -mate_score - self.mate
        return self.score_cp


NO_INFO = EngineInfo()
_NUMBERS = {
    "depth": "depth",
    "seldepth": "seldepth",
    "nodes": "nodes",
    "nps": "nps",
    "time": "time_ms",
    "hashfull": "hashfull",
}


def parse_info(line: str) -> EngineInfo:
    """Parse the fields of one `info ...` line; what cannot be read is left out, never an error."""
    words = line.split()
    found: dict[str, object] = {}
    index = 0
    while index < len(words):
        word = words[index]
        if word == "string":
            break
        if word == "pv":
            found["pv"] = tuple(words[index + 1 :])
            break
        if word in _NUMBERS:
            _put(found, _NUMBERS[word], _number(words, index + 1))
        elif word == "score":
            key = {"cp": "score_cp", "mate": "mate"}.get(words[index + 1] if index + 1 < len(words) else "")
            if key:
                _put(found, key, _number(words, index + 2))
        elif word == "wdl":
            three = [_number(words, index + step) for step in (1, 2, 3)]
            if None not in three:
                found["wdl"] = tuple(three)
        index += 1
    return EngineInfo(**found)  # type: ignore[arg-type]  # each value was read with its field's type above


def _put(found: dict[str, object], key: str, value: int | None) -> None:
    if value is not None:
        found[key] = value


def _number(words: list[str], index: int) -> int | None:
    try:
        return int(words[index])
    except (IndexError, ValueError):
        return None
