"""What games feed is counted, and nothing here can disturb a game."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import chess
import chess.engine
import pytest
from structlog.testing import capture_logs

from bot.dashboard.prometheus.meters import Meters
from bot.engine_pool import Answer, Requirement
from bot.errors import EngineError
from bot.play.game_context import Engine

ANSWER = Answer(chess.Move.from_uci("e2e4"), info_line="info depth 9 nodes 1234 score cp 3", elapsed_ms=250.0)


class OneAnswer:
    """An engine with one answer."""

    name = "one"
    elo = 1500

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.given_back = False

    def play(self, board: object, limit: object, *, ponder: bool, on_done: Callable[[Answer], None]) -> None:
        on_done(self.answer)

    def give_back(self) -> None:
        self.given_back = True


def ask(meters: Meters, answer: Answer, on_done: Callable[[Answer], Any]) -> OneAnswer:
    """One search by a measured engine."""
    inner = OneAnswer(answer)
    engine = meters.measured(lambda _requirement: cast("Engine", inner))(Requirement())
    engine.play(chess.Board(), chess.engine.Limit(), ponder=False, on_done=on_done)
    assert (engine.name, engine.elo) == ("one", 1500)
    engine.give_back()
    return inner


def value(meters: Meters, name: str) -> float | None:
    return meters.registry.get_sample_value(name)


def test_a_search_is_measured() -> None:
    meters, answers = Meters(), list[Answer]()
    assert ask(meters, ANSWER, answers.append).given_back
    assert answers == [ANSWER]
    assert value(meters, "bot88_think_seconds_sum") == 0.25
    assert value(meters, "bot88_search_depth_plies_sum") == 9
    assert value(meters, "bot88_search_nodes_sum") == 1234


def test_an_answer_without_a_move_is_none() -> None:
    meters = Meters()
    ask(meters, Answer(None, error=EngineError("dead")), lambda _answer: None)
    assert value(meters, "bot88_think_seconds_count") == 0


def test_a_fault_in_measuring_comes_after_the_move_and_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    meters, answers = Meters(), list[Answer]()
    monkeypatch.setattr(meters, "answered", lambda _answer: 1 / 0)
    with capture_logs() as lines:
        ask(meters, ANSWER, answers.append)
    assert answers == [ANSWER]
    assert [line["event"] for line in lines] == ["metrics_fault"]


def test_moves_and_lag_are_measured_and_still_known_to_the_games() -> None:
    meters = Meters()
    lag = meters.lag_meter()
    lag.add_round_trip(40.0)
    lag.add_loss(-5.0)
    assert lag.overhead_ms == 0.0
    assert value(meters, "bot88_moves_total") == 1
    assert value(meters, "bot88_move_post_seconds_sum") == pytest.approx(0.04)
    assert (value(meters, "bot88_move_lag_seconds_count"), value(meters, "bot88_move_lag_seconds_sum")) == (1, 0)


def test_a_move_without_a_search_has_neither_depth_nor_nodes() -> None:
    meters = Meters()
    ask(meters, Answer(chess.Move.from_uci("e2e4"), source="book", elapsed_ms=2.0), lambda _answer: None)
    names = ("bot88_think_seconds_count", "bot88_search_depth_plies_count", "bot88_search_nodes_count")
    assert [value(meters, name) for name in names] == [1, 0, 0]


@pytest.mark.parametrize(
    ("game", "counted"),
    [
        (SimpleNamespace(over=True, result="won"), "won"),
        (SimpleNamespace(over=True, result="aborted"), "aborted"),
        (SimpleNamespace(over=False, result="running"), "unknown"),
        (None, "unknown"),
    ],
)
def test_a_finished_game_is_counted_by_its_result_once(game: object, counted: str) -> None:
    meters = Meters()
    meters.game_over(cast("Any", SimpleNamespace(game=game)))
    counts = {
        result: meters.registry.get_sample_value("bot88_games_finished_total", {"result": result})
        for result in ("won", "drawn", "lost", "aborted", "unknown", "running")
    }
    assert counts == dict.fromkeys(counts, 0) | {"running": None, counted: 1}
