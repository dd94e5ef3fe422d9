"""UCI as text: every command read, every nonsense named, every line written as GUIs expect it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine88.contract import (
    MAX_COUNT,
    MAX_DEPTH,
    Limits,
    SearchInfo,
    SearchProgress,
    SearchResult,
    StaticEvaluation,
    TermScore,
    Wdl,
)
from engine88.uci.text import (
    MISTAKE_MOVETIME_MS,
    GoCommand,
    PerftCommand,
    PositionCommand,
    UciError,
    bestmove_line,
    evaluation_lines,
    info_line,
    parse_go,
    parse_position,
    parse_setoption,
    progress_lines,
)
from tests.helpers.examples import scaled

INFO = SearchInfo(12, 20, 1, 34, None, "exact", 1000, 500, 7, 2000, ("e2e4", "e7e5"))


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("", Limits()),
        ("depth 7", Limits(depth=7)),
        ("nodes 5000 movetime 100", Limits(nodes=5000, movetime_ms=100)),
        (
            "wtime 300000 btime 299000 winc 2000 binc 3000 movestogo 40",
            Limits(wtime_ms=300000, btime_ms=299000, winc_ms=2000, binc_ms=3000, movestogo=40),
        ),
        ("wtime -5 btime 100", Limits(wtime_ms=-5, btime_ms=100)),
        ("infinite", Limits(infinite=True)),
        ("ponder wtime 1000 btime 1000", Limits(ponder=True, wtime_ms=1000, btime_ms=1000)),
        ("mate 3", Limits(mate=3)),
        ("searchmoves e2e4 d2d4", Limits(searchmoves=("e2e4", "d2d4"))),
        ("searchmoves e2e4 d2d4 depth 3", Limits(searchmoves=("e2e4", "d2d4"), depth=3)),
        ("infinite searchmoves e2e4", Limits(infinite=True, searchmoves=("e2e4",))),
        (f"nodes {MAX_COUNT} wtime {-MAX_COUNT}", Limits(nodes=MAX_COUNT, wtime_ms=-MAX_COUNT)),
        ("depth 255 nodes +5", Limits(depth=MAX_DEPTH, nodes=5)),
    ],
)
def test_go(text: str, limits: Limits) -> None:
    assert parse_go(text.split()) == GoCommand(limits)


def test_go_perft() -> None:
    assert parse_go(["perft", "5"]) == PerftCommand(5)


@pytest.mark.parametrize(
    ("text", "limits", "named"),
    [
        ("depth", {}, "'depth' needs a number"),
        ("depth x nodes 9", {"nodes": 9}, "not 'x'"),
        ("depth 1.5", {}, "not '1.5'"),
        ("depth 0", {}, "from 1 to"),
        ("nodes -1 infinite", {"infinite": True}, "'nodes' must be from 1 to"),
        (f"nodes {MAX_COUNT + 1}", {}, "'nodes' must be from 1 to"),
        (f"wtime {-MAX_COUNT - 1} btime 5", {"btime_ms": 5}, "'wtime' must be from -"),
        (f"depth {'9' * 5000}", {}, "'depth' must be from 1 to"),
        ("movetime ٣", {}, "not '٣'"),
        ("quickly", {}, "unknown word 'quickly'"),
        ("searchmoves", {}, "at least one move"),
        ("searchmoves depth 3", {"depth": 3}, "at least one move"),
        ("perft", {}, "'perft' needs a number"),
        ("perft 128", {}, "'perft' must be from 0 to 127"),
    ],
)
def test_a_go_with_a_mistake_keeps_its_other_limits_and_takes_a_moment(
    text: str, limits: dict[str, Any], named: str
) -> None:
    command = parse_go(text.split())
    assert isinstance(command, GoCommand)
    assert command.limits == Limits(movetime_ms=MISTAKE_MOVETIME_MS, **limits)
    assert named in command.mistake


FEN = "8/8/8/8/8/4k3/8/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("startpos", PositionCommand(None, ())),
        ("startpos moves e2e4 e7e5", PositionCommand(None, ("e2e4", "e7e5"))),
        (f"fen {FEN}", PositionCommand(FEN, ())),
        (f"fen {FEN} moves e1g1", PositionCommand(FEN, ("e1g1",))),
        ("fen 8/8/8/8/8/4k3/8/4K2R w K -", PositionCommand("8/8/8/8/8/4k3/8/4K2R w K -", ())),
        ("startpos moves", PositionCommand(None, ())),
    ],
)
def test_position(text: str, command: PositionCommand) -> None:
    assert parse_position(text.split()) == command


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "expected 'startpos' or 'fen'"),
        ("moves e2e4", "expected 'startpos' or 'fen'"),
        ("start", "not 'start'"),
        ("startup", "not 'startup'"),
        ("epd", "not 'epd'"),
        ("startpos e2e4", "'moves' after 'startpos', not 'e2e4'"),
        ("fen", "here are 0"),
        (f"fen {FEN} e1g1", "here are 7"),
    ],
)
def test_an_invalid_position_is_named(text: str, named: str) -> None:
    with pytest.raises(UciError, match=named):
        parse_position(text.split())


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("name Hash value 64", ("Hash", "64")),
        ("name Move Overhead value 30", ("Move Overhead", "30")),
        ("name Clear Hash", ("Clear Hash", None)),
        ("name Book value /a path/with blanks", ("Book", "/a path/with blanks")),
        ("name Hash value", ("Hash", "")),
    ],
)
def test_setoption(text: str, option: tuple[str, str | None]) -> None:
    assert parse_setoption(text.split()) == option


@pytest.mark.parametrize("text", ["", "Hash 64", "name", "name value 3"])
def test_an_invalid_setoption_is_named(text: str) -> None:
    with pytest.raises(UciError, match="name"):
        parse_setoption(text.split())


WORDS = [
    "depth",
    "nodes",
    "perft",
    "searchmoves",
    "infinite",
    "moves",
    "fen",
    "startpos",
    "1",
    "-1",
    "e2e4",
    "name",
    "",
    "x",
]


@given(st.lists(st.sampled_from(WORDS)))
@settings(deadline=None, max_examples=scaled(200))
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    read = 0
    for parse in (parse_go, parse_position, parse_setoption):
        try:
            parse(words)
            read += 1
        except UciError:
            continue
    assert 0 <= read <= 2


def test_info() -> None:
    assert info_line(INFO) == (
        "info depth 12 seldepth 20 multipv 1 score cp 34 nodes 1000 nps 500 hashfull 7 time 2000 pv e2e4 e7e5"
    )


def test_info_of_mate_bound_and_wdl() -> None:
    info = SearchInfo(3, 5, 2, None, -2, "lower", 10, 5, 0, 2, ("a2a3",), Wdl(0, 0, 1000))
    assert info_line(info) == (
        "info depth 3 seldepth 5 multipv 2 score mate -2 lowerbound wdl 0 0 1000"
        " nodes 10 nps 5 hashfull 0 time 2 pv a2a3"
    )


def test_info_without_a_move() -> None:
    assert info_line(SearchInfo(0, 0, 1, None, 0, "exact", 0, 0, 0, 0, ())) == "info depth 0 score mate 0"


def test_progress() -> None:
    counts = "info nodes 9 nps 3 hashfull 1 time 3000"
    assert list(progress_lines(SearchProgress(8, "e2e4", 9, 3, 1, 3000))) == ["info depth 8 currmove e2e4", counts]
    assert list(progress_lines(SearchProgress(8, None, 9, 3, 1, 3000))) == [counts]


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (SearchResult("e2e4", "e7e5"), "bestmove e2e4 ponder e7e5"),
        (SearchResult("e2e4"), "bestmove e2e4"),
        (SearchResult(None), "bestmove (none)"),
    ],
)
def test_bestmove(result: SearchResult, line: str) -> None:
    assert bestmove_line(result) == line


def test_a_static_evaluation_is_a_table_in_pawns() -> None:
    evaluation = StaticEvaluation(-31, 31, (TermScore("Tempo", 22, -13),))
    lines = list(evaluation_lines(evaluation))
    assert lines[1].split() == ["Tempo", "+0.22", "-0.13"]
    assert lines[-1] == "Final evaluation: +0.31 (white side)"
    assert list(evaluation_lines(StaticEvaluation(5, 5, ()))) == ["Final evaluation: +0.05 (white side)"]
    assert list(evaluation_lines(None)) == ["Final evaluation: none (in check)"]
