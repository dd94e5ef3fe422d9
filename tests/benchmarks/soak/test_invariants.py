"""Each invariant notices what it is there for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.soak import invariants
from benchmarks.soak.evidence import EndedGame, KeptGame, Outage, Post, Records, Stall, Violation
from benchmarks.soak.invariants import log_is_calm, no_fault_of_ours, without_running

GOOD = EndedGame(
    game_id="good0001",
    our_color="white",
    variant="standard",
    status="mate",
    winner="white",
    moves=("e2e4", "e7e5", "d1h5"),
    our_clock_ms=9_000,
    began_s=100.0,
    ended_s=150.0,
)
LATE = replace(GOOD, game_id="late0001", status="outoftime", winner="black")
PLAYED = Post("good0001", "e2e4", 110.0, 200, None, "played")


def names(violations: list[Violation]) -> set[tuple[str, str]]:
    return {(violation.invariant, violation.game_id) for violation in violations}


@pytest.mark.parametrize("status", sorted(invariants.PROPER))
def test_games_that_we_win_or_draw_end_properly(status: str) -> None:
    assert invariants.ended_properly([replace(GOOD, status=status)]) == []


@pytest.mark.parametrize(("status", "winner"), [("resign", "black"), ("timeout", "black"), ("aborted", None)])
def test_a_game_that_we_gave_up_did_not_end_properly(status: str, winner: str | None) -> None:
    found = invariants.ended_properly([GOOD, replace(GOOD, game_id="bad", status=status, winner=winner)])
    assert names(found) == {("ended_properly", "bad")}


def test_a_game_that_never_ends_is_noticed() -> None:
    assert names(invariants.ended_properly([GOOD], ["open"])) == {("ended_properly", "open")}


def test_a_loss_on_time_is_noticed_and_a_win_is_not() -> None:
    won = replace(GOOD, status="outoftime")
    assert names(invariants.not_lost_on_time([GOOD, won, LATE], [])) == {("not_lost_on_time", "late0001")}


@pytest.mark.parametrize(
    ("outage", "excused"),
    [
        (Outage(140.0, 145.0, {"late0001": 9_999}), True),
        (Outage(140.0, 145.0, {"late0001": 10_000}), False),
        (Outage(140.0, 150.0, {"late0001": 20_000}), True),
        (Outage(140.0, None, {"late0001": 20_000}), True),
        (Outage(140.0, 145.0, {"other": 1}), False),
    ],
    ids=["short clock", "time enough", "not ready yet", "never ready", "another game"],
)
def test_a_kill_excuses_only_what_it_caused(outage: Outage, excused: bool) -> None:
    assert bool(invariants.excuse(LATE, [outage])) is excused
    assert (invariants.not_lost_on_time([LATE], [outage]) == []) is excused


@pytest.mark.parametrize(
    ("stalls", "excused"),
    [
        ([Stall(120.0, 6.0), Stall(130.0, 5.0)], True),
        ([Stall(120.0, 6.0), Stall(130.0, 3.0)], False),
        ([Stall(99.0, 40.0), Stall(151.0, 40.0)], False),
    ],
    ids=["a fifth of the game", "less", "before and after"],
)
def test_a_starved_machine_excuses_a_loss_on_time(stalls: list[Stall], excused: bool) -> None:
    assert (invariants.not_lost_on_time([LATE], [], stalls) == []) is excused


def test_a_misplaced_move_is_noticed() -> None:
    harmless = [replace(PLAYED, verdict=verdict) for verdict in ("played", "repeated", "over", "unserved")]
    bad = replace(PLAYED, uci="e1e5", status=400, verdict="misplaced")
    assert invariants.moves_fit(harmless) == []
    assert names(invariants.moves_fit([*harmless, bad])) == {("moves_fit", "good0001")}


def test_a_move_long_after_the_end_is_noticed() -> None:
    late = replace(PLAYED, at_s=GOOD.ended_s + invariants.LATE_POST_S + 1)
    under_way = replace(PLAYED, at_s=GOOD.ended_s + 1)
    assert invariants.silent_after_the_end([PLAYED, under_way], [GOOD]) == []
    assert names(invariants.silent_after_the_end([late], [GOOD])) == {("silent_after_the_end", "good0001")}


def test_a_game_too_many_is_noticed() -> None:
    assert invariants.never_above_concurrency(["a", "b"], 2) == []
    assert len(invariants.never_above_concurrency(["a", "b", "c"], 2)) == 1


def test_an_answer_429_is_noticed() -> None:
    assert invariants.within_limits([]) == []
    (found,) = invariants.within_limits([("event_stream", 1.0), ("event_stream", 2.0)])
    assert found.text == "event_stream answered 429 2 times"


RECORDS = Records((KeptGame("good0001", "mate", "1-0", 3),), (), {"good0001": ("1-0",)})


@pytest.mark.parametrize(
    "records",
    [
        replace(RECORDS, rows=()),
        replace(RECORDS, rows=RECORDS.rows * 2),
        replace(RECORDS, rows=(KeptGame("good0001", "mate", "0-1", 3),)),
        replace(RECORDS, rows=(KeptGame("good0001", "started", "1-0", 2),)),
        replace(RECORDS, pgn={}),
        replace(RECORDS, pgn={"good0001": ("1-0", "1-0")}),
        replace(RECORDS, pgn={"good0001": ("*",)}),
        replace(RECORDS, unfinished=("good0001",)),
    ],
    ids=["no row", "two rows", "result", "plies", "no PGN", "PGN twice", "PGN result", "unfinished"],
)
def test_a_game_that_is_not_kept_once_is_noticed(records: Records) -> None:
    assert invariants.kept_once([GOOD], RECORDS) == []
    assert names(invariants.kept_once([GOOD], records)) == {("kept_once", "good0001")}


def test_a_kept_game_that_nobody_played_is_noticed() -> None:
    aborted = replace(GOOD, game_id="short001", status="aborted", winner=None, moves=("e2e4",))
    assert invariants.kept_once([GOOD, aborted], RECORDS) == []
    assert names(invariants.kept_once([], RECORDS)) == {("kept_once", "good0001")}


def test_a_token_in_an_output_is_noticed() -> None:
    outputs = [("bot.log", b"all well"), ("store", b"\x00lip_secret\x00")]
    assert [one.text for one in invariants.no_secret("lip_secret", outputs)] == ["the token is in store"]


@pytest.mark.parametrize(("fen", "color", "ours"), [("startpos", "white", 0), ("x b - - 0 1", "black", 0)])
def test_our_plies_begin_with_the_side_to_move(fen: str, color: str, ours: int) -> None:
    game = replace(GOOD, initial_fen=fen, our_color=color)
    assert [ply for ply in range(4) if game.is_ours(ply)] == [ours, ours + 2]


def test_faults_of_ours() -> None:
    mated, left, rude, aborted = (
        replace(GOOD, status=status, winner=winner, moves=())
        for status, winner in (("mate", "black"), ("timeout", "black"), ("cheat", None), ("aborted", None))
    )
    assert no_fault_of_ours([mated, replace(left, winner="white"), aborted]) == []
    assert len(no_fault_of_ours([left, rude])) == 2
    assert len(no_fault_of_ours([aborted], {GOOD.game_id})) == 1  # it was our turn
    assert no_fault_of_ours([replace(aborted, moves=("e2e4",))], {GOOD.game_id}) == []


def test_the_log_is_read_for_errors_and_control_characters() -> None:
    assert log_is_calm(["11-23 05:00:00 abcdefgh game_over status=mate", "11-23 05:00:01 [warning] slow"]) == []
    assert len(log_is_calm(["11-23 05:00:00 [error] token_rejected", "11-23 05:00:00 chat text=\x07"])) == 2


def test_notes_on_games_that_still_run_are_right() -> None:
    records = Records(unfinished=("running1", "ended002"))
    assert without_running(records, {"running1"}).unfinished == ("ended002",)
