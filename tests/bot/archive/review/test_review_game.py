"""One game under review, by an engine that counts material."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock

import chess.engine
import pytest

from bot.archive.played_game import UnreadableGameError
from bot.archive.review.review_game import (
    ReviewStopped,
    ReviewTask,
    StopReviews,
    _on_fault,
    _running,
    review_game,
)
from bot.archive.review.values import Score
from bot.errors import EngineDied, EngineError, EngineProtocolError, EngineStartError
from bot.settings import EngineEntry
from tests.bot.archive.test_played_game import fools_mate
from tests.helpers.finished_games import blitz

HELPERS = Path(__file__).parents[3] / "helpers"


def engine(*arguments: str, program: str = "scoring_engine.py") -> EngineEntry:
    """An entry that runs one of the engines for tests."""
    return EngineEntry(name="judge", command=(sys.executable, str(HELPERS / program), *arguments), start_timeout_s=60.0)


def task(entry: EngineEntry | None = None, pgn: str | None = None) -> ReviewTask:
    """The review of the fool's mate, or of another game."""
    kept = fools_mate().record
    return ReviewTask(kept if pgn is None else replace(kept, pgn=pgn), entry or engine(), 1000)


def test_every_move_is_looked_at() -> None:
    positions: list[None] = []
    review = review_game(task(), lambda: positions.append(None))
    assert (review.game_id, review.entry, review.engine, review.nodes) == ("abcdefgh", "judge", "Scoring", 1000)
    assert [move.san for move in review.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert [move.is_ours for move in review.moves] == [True, False, True, False]
    assert [move.spent_ms for move in review.moves] == [None, None, 10_500, 0]
    third, last = review.moves[2:]
    assert (third.before, third.after) == (Score(cp=0), Score(mate_in=-1))
    assert third.judgement == "blunder"
    assert third.better  # the first legal move, for it is the quiet ones that keep the material
    assert last.better == ("Qh4#",)
    assert last.after == Score(mate_in=-1)
    assert len(positions) == 4


def test_a_drawn_end_needs_no_engine() -> None:
    stalemate = '[FEN "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"]\n[SetUp "1"]\n\n1. Qf7 1/2-1/2\n'
    (move,) = review_game(task(pgn=stalemate)).moves
    assert (move.after, move.judgement, move.phase) == (Score(cp=0), "blunder", "endgame")


def test_a_review_can_be_stopped() -> None:
    stop, looked = StopReviews(), list[None]()

    def look() -> None:
        looked.append(None)
        stop.ask()

    for _ in range(2):  # the second one before it begins
        with pytest.raises(ReviewStopped):
            review_game(task(), look, stop)
    assert len(looked) == 1


def test_chess960_is_reviewed_in_its_own_notation() -> None:
    pgn = (
        '[Variant "Chess960"]\n[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"]\n[SetUp "1"]\n\n'
        "1. e4 e5 1/2-1/2\n"
    )
    assert [move.san for move in review_game(task(pgn=pgn)).moves] == ["e4", "e5"]


@pytest.mark.parametrize(
    ("entry", "error", "message"),
    [
        (EngineEntry(name="none", command=("/does/not/exist",)), EngineStartError, "engine none cannot be started"),
        (engine("no-start", program="uci_engine.py"), EngineDied, "engine judge ended"),
        (engine("crash"), EngineDied, "try the command by hand"),
        (engine("silent"), EngineProtocolError, "the engine gives no score"),
    ],
)
def test_an_engine_that_fails_is_named(entry: EngineEntry, error: type[EngineError], message: str) -> None:
    with pytest.raises(error, match=message):
        review_game(task(entry))


def test_a_game_that_cannot_be_read_starts_no_engine() -> None:
    with pytest.raises(UnreadableGameError):
        review_game(ReviewTask(blitz("a"), EngineEntry(command=("/does/not/exist",)), 1))


def test_the_judge_plays_at_full_strength_on_one_thread_whatever_is_configured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge = MagicMock()
    judge.options = {"Hash": None, "Threads": None, "UCI_LimitStrength": None, "Skill": None}
    monkeypatch.setattr(chess.engine.SimpleEngine, "popen_uci", MagicMock(return_value=judge))
    options: dict[str, bool | int | float | str] = {
        "Hash": 64,
        "Threads": 4,
        "UCI_LimitStrength": "true",
        "Skill": "auto",
        "Own": 1,
    }
    with _running(EngineEntry(name="judge", command=("x",), options=options)):
        pass
    assert judge.configure.call_args.args == ({"Hash": 64, "Threads": 1, "UCI_LimitStrength": False},)
    popen = chess.engine.SimpleEngine.popen_uci
    assert isinstance(popen, MagicMock)
    assert popen.call_args.kwargs["setpgrp"] is True, "Ctrl-C ends the review, not the engine under it"


@pytest.mark.parametrize(
    ("error", "is_told"), [(chess.engine.EngineTerminatedError("gone"), False), (KeyError("ours"), True), (None, True)]
)
def test_the_end_of_an_engine_is_told_once_and_any_other_fault_as_usual(error: Exception | None, is_told: bool) -> None:
    loop = MagicMock()
    _on_fault(loop, {"exception": error} if error is not None else {})
    assert loop.default_exception_handler.called is is_told
