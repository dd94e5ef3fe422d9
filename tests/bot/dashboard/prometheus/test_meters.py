"""What games feed is counted, and nothing here can disturb a game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import chess
import chess.engine
import pytest

from bot.dashboard.prometheus.meters import Meters
from bot.engine_pool import Answer
from bot.errors import EngineError
from bot.play.observer import EndedGame

ANSWER = Answer(chess.Move.from_uci("e2e4"), info_line="info depth 9 nodes 1234 score cp 3", elapsed_ms=250.0)


def value(meters: Meters, name: str) -> float | None:
    return meters.registry.get_sample_value(name)


def test_a_search_is_measured() -> None:
    meters = Meters()
    meters.answered("abcdefgh", 2, ANSWER)
    assert value(meters, "bot88_think_seconds_sum") == 0.25
    assert value(meters, "bot88_search_depth_plies_sum") == 9
    assert value(meters, "bot88_search_nodes_sum") == 1234


def test_an_answer_without_a_move_is_none() -> None:
    meters = Meters()
    meters.answered("abcdefgh", 2, Answer(None, error=EngineError("dead")))
    assert value(meters, "bot88_think_seconds_count") == 0


def test_moves_of_ours_are_counted() -> None:
    meters = Meters()
    for my_turn in (False, True, False):
        meters.moved(cast("Any", SimpleNamespace(my_turn=my_turn)))
    assert value(meters, "bot88_moves_total") == 2


def test_lag_is_measured_and_still_known_to_the_games() -> None:
    meters = Meters()
    lag = meters.lag_meter()
    lag.add_round_trip(40.0)
    lag.add_loss(-5.0)
    assert lag.overhead_ms == 0.0
    assert value(meters, "bot88_move_post_seconds_sum") == pytest.approx(0.04)
    assert (value(meters, "bot88_move_lag_seconds_count"), value(meters, "bot88_move_lag_seconds_sum")) == (1, 0)


def test_a_move_without_a_search_has_neither_depth_nor_nodes() -> None:
    meters = Meters()
    meters.answered("abcdefgh", 0, Answer(chess.Move.from_uci("e2e4"), source="book", elapsed_ms=2.0))
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
    meters.ended(EndedGame("abcdefgh", cast("Any", game), cast("Any", object())))
    counts = {
        result: meters.registry.get_sample_value("bot88_games_finished_total", {"result": result})
        for result in ("won", "drawn", "lost", "aborted", "unknown", "running")
    }
    assert counts == dict.fromkeys(counts, 0) | {"running": None, counted: 1}
