"""Each invariant of a day notices what it is there for."""

from __future__ import annotations

from benchmarks.soak.day.invariants import log_is_calm, no_fault_of_ours, without_running
from benchmarks.soak.evidence import EndedGame, Records


def game(status: str, winner: str | None = None, moves: tuple[str, ...] = ()) -> EndedGame:
    """A game of ours with White."""
    return EndedGame("game0001", "white", "standard", status, winner, moves, 1000, 0.0, 1.0)


def test_faults_of_ours() -> None:
    assert no_fault_of_ours([game("mate", "black"), game("timeout", "white"), game("aborted")]) == []
    assert len(no_fault_of_ours([game("timeout", "black"), game("cheat")])) == 2
    assert len(no_fault_of_ours([game("aborted")], {"game0001"})) == 1  # it was our turn
    assert no_fault_of_ours([game("aborted", moves=("e2e4",))], {"game0001"}) == []


def test_the_log_is_read_for_errors_and_control_characters() -> None:
    assert log_is_calm(["11-23 05:00:00 abcdefgh game_over status=mate", "11-23 05:00:01 [warning] slow"]) == []
    assert len(log_is_calm(["11-23 05:00:00 [error] token_rejected", "11-23 05:00:00 chat text=\x07"])) == 2


def test_notes_on_games_that_still_run_are_right() -> None:
    records = Records(unfinished=("running1", "ended002"))
    assert without_running(records, {"running1"}).unfinished == ("ended002",)
