"""An engine that answers, and engines that do not: each failure names the engine."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from engine88.training.match.uci_engine import EngineError, EngineSpec, UciEngine, score_of_info
from tests.engine88.training.match.engines import spec
from tests.helpers.ending import closed_at_end

START = f"position fen {chess.STARTING_FEN}"


def test_an_answer_with_what_was_said_of_it() -> None:
    engine = UciEngine(spec("fake"))
    try:
        engine.new_game()
        answer = engine.think(START, "go nodes 1", 60)
        assert (answer.move, answer.score_cp, answer.depth) == ("a2a3", 12, 7)
        assert answer.seconds > 0
    finally:
        engine.close()
    with pytest.raises(EngineError, match="fake: is closed"):
        engine.ready()


@pytest.mark.parametrize(
    ("mode", "problem"), [("crash", "bad: has ended, exit status 3"), ("silent", "bad: no answer for 1 s")]
)
def test_an_engine_that_fails_is_named(mode: str, problem: str) -> None:
    engine = closed_at_end(UciEngine(spec("bad", mode)))
    with pytest.raises(EngineError, match=problem):
        engine.think(START, "go nodes 1", 1 if mode == "silent" else 60)


def test_options_are_set_before_the_first_move() -> None:
    UciEngine(replace(spec("fake"), options=(("hash", "32"),))).close()


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        (("Threads", "2"), "fake: has no option 'Threads'$"),
        (("Eval File", "x.npz"), r"fake: option Eval File=x\.npz is refused: the terms play on, .* cannot be used: x"),
    ],
)
def test_an_option_that_the_engine_does_not_take_ends_it(option: tuple[str, str], problem: str) -> None:
    with pytest.raises(EngineError, match=problem):
        UciEngine(replace(spec("fake"), options=(option,)))


@pytest.mark.parametrize("command", ["/no/such/engine", "'unbalanced"])
def test_a_command_that_starts_nothing_is_named(command: str) -> None:
    with pytest.raises(EngineError, match=r"gone: .* cannot be started"):
        UciEngine(EngineSpec("gone", command))


def test_a_program_that_is_no_engine_is_named() -> None:
    with pytest.raises(EngineError, match="true: has ended, exit status 0"):
        UciEngine(EngineSpec("true", "true"))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("info depth 9 score cp -31 nodes 5 pv e2e4", (9, -31)),
        ("info depth 9 score mate 2 pv e2e4", (9, 29_996)),
        ("info depth 9 score mate -3", (9, -29_994)),
        ("info depth 9 score cp 10 lowerbound", None),
        ("info depth 9 multipv 2 score cp 10", None),
        ("info depth 9 multipv 1 score cp 10", (9, 10)),
        ("info score cp x", None),
        ("info string score", None),
    ],
)
def test_scores(line: str, found: tuple[int, int] | None) -> None:
    assert score_of_info(line.split()) == found
