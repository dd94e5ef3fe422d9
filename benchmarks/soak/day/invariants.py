"""What must hold at the end of a day, beside the invariants of the soak."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.soak.day.server import DayServer
from benchmarks.soak.evidence import EndedGame, Records, Violation

FINE = frozenset(
    {
        "mate",
        "resign",
        "stalemate",
        "draw",
        "outoftime",
        "timeout",
        "insufficientMaterialClaim",
        "aborted",
        "variantEnd",
    }
)


def no_fault_of_ours(games: Iterable[EndedGame], aborted_by_us: Iterable[str] = ()) -> list[Violation]:
    """No game is lost because we left, and none is aborted by us while it is our turn."""
    by_us = set(aborted_by_us)
    found = []
    for game in games:
        if game.status not in FINE or (game.lost and game.status == "timeout"):
            found.append(Violation("no_fault_of_ours", f"ended by {game.status}", game.game_id))
        if game.status == "aborted" and game.game_id in by_us and game.is_ours(len(game.moves)):
            found.append(Violation("no_fault_of_ours", "aborted by us on our turn", game.game_id))
    return found


def aborts_of_ours(server: DayServer) -> set[str]:
    """The games for which the bot asked for an abort."""
    return {seen.game_id for seen in server.fake.requests("abort") if seen.game_id is not None}


def without_running(records: Records, running: Iterable[str]) -> Records:
    """The records without the notes on games that the server still runs."""
    left = tuple(game_id for game_id in records.unfinished if game_id not in set(running))
    return Records(records.rows, left, records.pgn)


def log_is_calm(lines: Iterable[str]) -> list[Violation]:
    """No line of the level error or above, and no control character but the end of a line."""
    found = []
    for line in lines:
        if "[error" in line or "[critical" in line or "fault" in line.split(" ")[:4]:
            found.append(Violation("log_is_calm", line[:200]))
        if any(ord(letter) < 32 and letter != "\t" for letter in line):
            found.append(Violation("log_is_calm", f"a control character in {line[:200]!r}"))
    return found
