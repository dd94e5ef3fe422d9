"""The review after a game: the turning point, the better move, and never a search while a game runs."""

from __future__ import annotations

import chess
import pytest
from chess.engine import Cp, Mate, Score
from structlog.testing import capture_logs

from bot.engine_pool.pool import EnginePool
from bot.play import game_reviewer
from bot.play.game_reviewer import GameReviewer, turning_point
from tests.helpers.engines import tiny_entry
from tests.helpers.games import game, state
from tests.helpers.processes import wait_until

MOVES = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d4 e5d4"


def board() -> chess.Board:
    found = chess.Board()
    for uci in MOVES.split():
        found.push_uci(uci)
    return found


@pytest.mark.parametrize(
    ("scores", "ply"),
    [
        ({0: Cp(10), 2: Cp(20), 4: Cp(300), 6: Cp(310)}, 3),  # the opponent's move between plies 2 and 4
        ({0: Cp(10), 2: Cp(-250), 4: Cp(-300)}, 0),  # our own
        ({0: Cp(10), 2: Cp(50), 4: Cp(-10)}, None),
        ({0: Cp(2000), 2: Mate(3), 4: Cp(1500)}, None),
        ({0: Cp(0), 4: Cp(500)}, None),  # a move from a book is between them
        ({}, None),
    ],
)
def test_the_turning_point_is_the_greatest_change(scores: dict[int, Score], ply: int | None) -> None:
    assert turning_point(board(), scores) == ply


def reviewed(idle: list[bool], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Review a game; `idle` gives the answers to whether no game runs, the last one repeatedly."""
    monkeypatch.setattr(game_reviewer, "FIRST_S", 0.0)
    monkeypatch.setattr(game_reviewer, "PATIENCE_S", 0.3)
    said: list[str] = []
    asked: list[bool] = []

    def is_idle() -> bool:
        asked.append(idle[min(len(asked), len(idle) - 1)])
        return asked[-1]

    with EnginePool([tiny_entry()], fallback=None) as pool, capture_logs() as logs:
        reviewer = GameReviewer(pool.lend, is_idle)
        reviewer.review(game(state(MOVES)), {0: Cp(10), 2: Cp(20), 4: Cp(330)}, said.append)
        if idle[-1]:
            assert wait_until(lambda: len(said) == 2)
        else:
            assert wait_until(lambda: "review_after_game_dropped" in [one["event"] for one in logs])
    return said


def test_two_lines_name_the_turning_point_and_the_better_move(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = reviewed([True], monkeypatch)
    assert first == "The turning point was 2...Nc6: my evaluation went from +0.20 to +3.30."
    assert second.startswith("Better was 2...")


def test_nothing_is_searched_while_a_game_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reviewed([False], monkeypatch) == []
    assert reviewed([True, False], monkeypatch) == []
