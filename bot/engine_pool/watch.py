"""Is this engine still working? Pure judgement on signs read from the pipe and, on Linux, from /proc."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine

TICK_S = 0.25  # how often every engine is looked at
PROBE_AFTER_S = 0.4  # silence while searching before `isready` is sent
LOCAL_PATIENCE_S = 0.8  # an unanswered probe of an engine that also uses no processor time
BUSY_PATIENCE_S = 5.0  # the same of one that burns time, but did answer earlier probes
REMOTE_PATIENCE_S = 6.0  # the network may stall
WORKING_SHARE = 0.02  # of one processor: below this an engine is not searching, even on a crowded machine
_CLOCK_TICKS_PER_S = 100  # USER_HZ of Linux, fixed on all its architectures


@dataclass(frozen=True, slots=True)
class Signs:
    """What is seen of one engine now: times in seconds; `waited_s` is None while no probe is unanswered."""

    stopped: bool
    searching: bool
    silent_s: float
    waited_s: float | None
    cpu_s: float | None  # processor time used since the probe; None where it cannot be known
    answers_probes: bool
    remote: bool


def judge(signs: Signs) -> str:
    """ "" (in order), "probe" (ask for a sign of life), or the sentence that says why the engine must go."""
    if signs.stopped:
        return "the process was stopped by a signal"
    if not signs.searching:
        return ""
    if signs.waited_s is None:
        return "probe" if signs.silent_s > PROBE_AFTER_S else ""
    waited = min(signs.waited_s, signs.silent_s)  # any word heard since the probe counts as an answer
    if signs.remote or signs.cpu_s is None:
        return _hung(waited) if waited > REMOTE_PATIENCE_S else ""
    if waited <= LOCAL_PATIENCE_S:
        return ""
    if signs.cpu_s < WORKING_SHARE * waited:
        return _hung(waited)
    return _hung(waited) if signs.answers_probes and waited > BUSY_PATIENCE_S else ""


def _hung(waited_s: float) -> str:
    return f"no sign of life for {waited_s:.1f} s"


@dataclass(frozen=True, slots=True)
class Patience:
    """When a search is overdue: `stop` is sent after `stop_s`; without an answer it ends `grace_s` later."""

    stop_s: float
    grace_s: float


def patience(limit: chess.engine.Limit, turn: chess.Color) -> Patience | None:
    """How long the search may take, from its limit; None when the limit names no time.

    An engine that uses 70 % of all its time for one move is in error, and the rest is needed for the one that replaces
    it; `stop` costs a healthy engine nothing but that.
    """
    clock = limit.white_clock if turn == chess.WHITE else limit.black_clock
    found = []
    if clock is not None:
        found.append(Patience(0.7 * clock, max(0.15, min(1.0, 0.15 * clock))))
    if limit.time is not None:
        found.append(Patience(1.1 * limit.time + 0.3, max(0.3, min(1.0, limit.time))))
    return min(found, key=lambda one: one.stop_s) if found else None


def remaining(limit: chess.engine.Limit, turn: chess.Color, elapsed_s: float) -> chess.engine.Limit:
    """The limit for a second engine after the first one used up `elapsed_s` seconds; never below 20 ms."""
    clocks = [limit.white_clock, limit.black_clock]
    index = 0 if turn == chess.WHITE else 1
    own = clocks[index]
    if own is not None:
        clocks[index] = max(0.02, own - elapsed_s)
    move_time = limit.time
    if move_time is not None:
        move_time = max(0.02, 0.1 * move_time, move_time - elapsed_s)
    return chess.engine.Limit(
        time=move_time,
        depth=limit.depth,
        nodes=limit.nodes,
        mate=limit.mate,
        white_clock=clocks[0],
        black_clock=clocks[1],
        white_inc=limit.white_inc,
        black_inc=limit.black_inc,
        remaining_moves=limit.remaining_moves,
    )


def process_state(pid: int) -> str:
    """The kernel's letter for the process (R, S, T, Z, ...); "" where there is no /proc or no such process."""
    fields = _stat(pid)
    return fields[0] if fields else ""


def cpu_seconds(pid: int) -> float | None:
    """Processor time of the process and its living descendants; None where it cannot be known."""
    fields = _stat(pid)
    if not fields:
        return None
    total = (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS_PER_S
    return total + sum(cpu_seconds(child) or 0.0 for child in _children(pid))


def _stat(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []
