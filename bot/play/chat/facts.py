"""What the bot can be asked about: its latest move, its account, the machine it runs on."""

from __future__ import annotations

import functools
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess

from bot.engine_pool import Answer
from bot.engine_pool.options import usable_cores, usable_memory_bytes

LINE_PLIES = 8  # of the variation that is shown
_CPU_INFO = Path("/proc/cpuinfo")
_GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was thought of one move of ours: `board` is the position before it."""

    board: chess.Board
    uci: str
    answer: Answer

    @property
    def san(self) -> str:
        """The move as on a score sheet, such as "12...Nf6"."""
        return self.board.variation_san([self.board.parse_uci(self.uci)]).replace(". ", ".", 1)

    @property
    def line(self) -> str:
        """The expected moves from ours on, as far as they are legal; "" if the engine sent none."""
        board, moves = self.board.copy(), []
        for uci in self.answer.info.pv[:LINE_PLIES]:
            try:
                moves.append(board.push_uci(uci))
            except ValueError:
                break
        return self.board.variation_san(moves) if moves else ""


@dataclass(frozen=True, slots=True)
class Results:
    """Finished games with one opponent, from our side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """Facts about the account; both are asked on the thread of the chat and may wait for a disk.

    `waiting()`: the names of those whose challenges wait, the next first; `results(user_id)`: the games with a user,
    None where no games are kept.
    """

    waiting: Callable[[], tuple[str, ...]] = tuple
    results: Callable[[str], Results | None] = lambda _user_id: None


NO_ACCOUNT_FACTS = AccountFacts()


@functools.cache
def cpu_text() -> str:
    """The processor in words, such as "8 cores of AMD EPYC 7B13"."""
    cores = max(1, int(usable_cores()))
    name = _cpu_name() or platform.machine() or "an unknown processor"
    return f"{cores} {'core' if cores == 1 else 'cores'} of {name}"


@functools.cache
def ram_text() -> str:
    """The memory in words, such as "16 GiB"."""
    memory = usable_memory_bytes()
    return "unknown memory" if memory is None else f"{max(1, round(memory / _GIB))} GiB"


def _cpu_name(path: Path = _CPU_INFO) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return platform.processor()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    if found is None:
        return platform.processor()
    return " ".join(re.sub(r"\((?:R|TM|C)\)|\bCPU\b|@.*$", " ", found[1]).split())
