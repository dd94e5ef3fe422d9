"""Metrics that games feed, and those of a picture."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from typing import Any, cast

import chess
import chess.engine
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.dashboard import metrics
from bot.dashboard.metrics import Meters, exposition
from bot.dashboard.picture import Health, Waiting
from bot.engine_pool.values import Answer, EntrySnapshot
from bot.errors import EngineError
from bot.play.observer import EndedGame
from tests.bot.dashboard.pictures import picture

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


def test_the_lag_of_moves_is_measured() -> None:
    meters = Meters()
    meters.posted("abcdefgh", 40.0)
    meters.lagged("abcdefgh", -5.0)
    assert value(meters, "bot88_move_post_seconds_sum") == pytest.approx(0.04)
    assert (value(meters, "bot88_move_lag_seconds_count"), value(meters, "bot88_move_lag_seconds_sum")) == (1, 0)


def test_a_move_without_a_search_has_neither_depth_nor_nodes() -> None:
    meters = Meters()
    meters.answered("abcdefgh", 0, Answer(chess.Move.from_uci("e2e4"), source="book", elapsed_ms=2.0))
    names = ("bot88_think_seconds_count", "bot88_search_depth_plies_count", "bot88_search_nodes_count")
    assert [value(meters, name) for name in names] == [1, 0, 0]


MATE = SimpleNamespace(status="mate")


@pytest.mark.parametrize(
    ("game", "counted"),
    [
        (SimpleNamespace(over=True, result="won", state=MATE), "won"),
        (SimpleNamespace(over=True, result="aborted", state=MATE), "aborted"),
        (SimpleNamespace(over=False, result="running", state=MATE), "unknown"),
        (None, "unknown"),
    ],
)
def test_a_finished_game_is_counted_by_its_result_once(game: object, counted: str) -> None:
    meters = Meters()
    meters.ended(EndedGame("abcdefgh", cast("Any", game), played=True))
    counts = {
        result: meters.registry.get_sample_value("bot88_games_finished_total", {"result": result})
        for result in ("won", "drawn", "lost", "aborted", "unknown", "running")
    }
    assert counts == dict.fromkeys(counts, 0) | {"running": None, counted: 1}


def test_losses_on_time_are_counted_alone() -> None:
    meters = Meters()
    for result, status in (("lost", "outoftime"), ("won", "outoftime"), ("lost", "mate")):
        game = SimpleNamespace(over=True, result=result, state=SimpleNamespace(status=status))
        meters.ended(EndedGame("abcdefgh", cast("Any", game), played=True))
    assert value(meters, "bot88_losses_on_time_total") == 1


def test_the_process_has_its_usual_figures() -> None:
    names = {family.name for family in text_string_to_metric_families(exposition(Meters(), picture()).decode())}
    assert {"process_resident_memory_bytes", "process_cpu_seconds", "process_open_fds"} <= names


def samples(**fields: Any) -> dict[str, float]:
    """The samples that come from the picture, by name and labels."""
    return {
        sample.name.removeprefix("bot88_") + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(exposition(Meters(), picture(**fields)).decode())
        for sample in family.samples
        if family.type != "histogram"
    }


def test_everything_in_a_picture_is_a_sample() -> None:
    found = samples(
        health=Health(("no engine answers", "the event stream is silent"), ready=False),
        uses={"playing": 3, "parked": 1},
        free_slots=4,
        waiting=(Waiting("Alice", "3+2"),),
        challenge_outcomes={"accepted": 5, "declined": 6},
        limited={"move": 7},
        limits={"chat": 8.5},
        engines=(EntrySnapshot("engine88", 9, 2, 1, 0, 10, (11, 12, 13)),),
        stream_age_s=14.5,
        stream_openings=15,
        memory={"bot": 16},
        ratings={"blitz": ((1.0, 2000), (2.0, 2013))},
    )
    assert found.items() >= {
        "unwell_reasons": 2,
        "games playing": 3,
        "games parked": 1,
        "free_slots": 4,
        "waiting_challenges": 1,
        "challenges_total accepted": 5,
        "challenges_total declined": 6,
        "rate_limited_total move": 7,
        "rate_limit_left_seconds chat": 8.5,
        "engine_restarts_total engine88": 10,
        "engine_processes engine88": 3,
        "engine_games engine88": 2,
        "event_stream_age_seconds": 14.5,
        "event_stream_openings_total": 15,
        "rating blitz": 2013,
        "memory_bytes bot": 16,
        "games_finished_total won": 0,
        "moves_total": 0,
    }.items()  # fmt: skip


def test_what_is_not_known_is_left_out() -> None:
    found = samples(stream_age_s=None, memory={})
    assert "event_stream_age_seconds" not in found
    assert not [name for name in found if name.startswith("memory_bytes")]
    assert found["unwell_reasons"] == 0


@pytest.mark.parametrize("installed", [True, False])
def test_the_version_is_told_even_where_the_package_is_not_installed(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(_name: str) -> str:
        if not installed:
            raise PackageNotFoundError
        return "1.2.3"

    monkeypatch.setattr(metrics, "version", version)
    assert samples()["build_info " + ("1.2.3" if installed else "unknown")] == 1
