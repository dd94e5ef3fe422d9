"""What counts as a difference between the bot's figures and the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.soak.day.server import GameNow, Truth
from benchmarks.soak.day.watch import Lasting, Sample, differences, read_metrics

GAME = GameNow(plies=4, last_uci="e7e5", white_ms=60_000, black_ms=50_000, days=False)
METRICS = """# TYPE bot88_moves counter
bot88_moves_total 10.0
# TYPE bot88_challenges counter
bot88_challenges_total{outcome="accepted"} 3.0
bot88_challenges_total{outcome="declined"} 2.0
# TYPE bot88_games_finished counter
bot88_games_finished_total{result="won"} 1.0
bot88_games_finished_total{result="drawn"} 0.0
bot88_games_finished_total{result="lost"} 0.0
bot88_games_finished_total{result="aborted"} 1.0
bot88_games_finished_total{result="unknown"} 0.0
"""
TRUTH = Truth(0.0, running={"game0001": GAME}, finished={"won": 1, "aborted": 1}, moves=10, accepted=3, declined=2)


def shown(**fields: Any) -> dict[str, Any]:
    """A game as the dashboard shows it."""
    sides = {"white": {"clock_ms": 60_000}, "black": {"clock_ms": 50_000}}
    return {"game_id": "game0001", "ply": 4} | sides | fields


def found(truth: Truth = TRUTH, games: list[dict[str, Any]] | None = None, **state: Any) -> set[str]:
    """The names of the differences."""
    told = {"games": [shown()] if games is None else games, "waiting": [], "results": {"won": 1, "drawn": 0, "lost": 0}}
    return set(differences(Sample(truth, truth, told | state, read_metrics(METRICS))))


def test_what_agrees_is_no_difference() -> None:
    assert found() == set()
    assert found(games=[shown(white={"clock_ms": 59_000})]) == set()  # a second old


@pytest.mark.parametrize(
    ("games", "names"),
    [
        ([], {"missing:game0001"}),
        ([shown(), shown(game_id="over0002")], {"stale:over0002"}),
        ([shown(ply=3)], {"ply:game0001"}),
        ([shown(black={"clock_ms": 30_000})], {"clock black:game0001"}),
        ([shown(white={"clock_ms": None})], {"clock white:game0001"}),
    ],
)
def test_a_wrong_game_is_noticed(games: list[dict[str, Any]], names: set[str]) -> None:
    assert found(games=games) == names


def test_wrong_numbers_are_noticed() -> None:
    other = replace(TRUTH, moves=11, accepted=4, declined=1, limited=1, finished={"won": 2, "aborted": 1})
    expected = {"moves", "accepted", "declined", "answers of 429", "games won", "results of the day won"}
    assert found(other) == expected
    assert found(waiting=[{}]) == {"queue"}
    assert "results of the day lost" in found(results=None)


def test_a_game_of_days_may_be_left_while_it_waits() -> None:
    waiting = replace(TRUTH, running={"game0001": replace(GAME, days=True)})
    assert found(waiting, games=[]) == set()


def test_a_difference_counts_once_when_it_has_lasted() -> None:
    lasting = Lasting(lasts_s=10.0)
    assert lasting.note({"moves": "5 is reported"}, 0.0) == {}
    assert lasting.note({}, 5.0) == {}
    assert lasting.note({"moves": "6 is reported"}, 6.0) == {}
    assert lasting.note({"moves": "7 is reported"}, 16.0) == {"moves": "7 is reported"}
    assert lasting.note({"moves": "8 is reported"}, 30.0) == {}
    assert lasting.longest_s == {"moves": 24.0}


def test_what_was_before_an_outage_is_forgotten() -> None:
    lasting = Lasting(lasts_s=10.0)
    lasting.note({"stale:a": "is over"}, 0.0)
    lasting.pause()
    assert lasting.note({"stale:a": "is over"}, 11.0) == {}
