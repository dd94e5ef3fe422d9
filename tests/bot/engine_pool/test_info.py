"""Info lines as engines write them, and worse."""

from __future__ import annotations

import pytest

from bot.engine_pool.values import EngineInfo, parse_info


def test_every_field_is_read() -> None:
    line = "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 5000 nps 1000000 hashfull 17 time 5 wdl 10 900 90"
    line += " pv e2e4 e7e5"
    assert parse_info(line) == EngineInfo(
        depth=12,
        seldepth=20,
        score_cp=-31,
        nodes=5000,
        nps=1_000_000,
        hashfull=17,
        time_ms=5,
        wdl=(10, 900, 90),
        pv=("e2e4", "e7e5"),
    )


@pytest.mark.parametrize(
    ("line", "centipawns"),
    [
        ("info score mate 3", 31997),
        ("info score mate -2", -31998),
        ("info score mate 0", -32000),  # the side to move is mated
        ("info score cp 15 lowerbound", 15),
        ("info depth 3", None),
    ],
)
def test_score_as_one_number(line: str, centipawns: int | None) -> None:
    assert parse_info(line).centipawns() == centipawns


@pytest.mark.parametrize(
    "line", ["", "info", "info depth", "info depth x score cp", "info score", "info wdl 1 2", "info string depth 3"]
)
def test_nonsense_is_left_out(line: str) -> None:
    assert parse_info(line) == EngineInfo()
