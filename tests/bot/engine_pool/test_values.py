"""Values of the pool, and the reading of info lines."""

from __future__ import annotations

import chess
import pytest
from chess.engine import Cp, Mate, PovScore, Score

from bot.engine_pool.values import Answer, EngineInfo, centipawns, parse_info, score_text


def test_every_field_is_read() -> None:
    line = "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 5000 nps 1000000 hashfull 17 time 5 wdl 10 900 90"
    line += " pv e2e4 e7e5"
    assert parse_info(line) == EngineInfo(12, Cp(-31), 5000, 1_000_000, ("e2e4", "e7e5"))


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("info score mate 3", Mate(3)),
        ("info score mate -2", Mate(-2)),
        ("info score mate 0", Mate(0)),  # the side to move is mated
        ("info score cp 15 lowerbound", Cp(15)),
        ("info depth 3", None),
    ],
)
def test_the_score_is_in_centipawns_or_in_moves_to_mate(line: str, score: Score | None) -> None:
    assert parse_info(line).score == score


@pytest.mark.parametrize(
    ("score", "text"),
    [(Cp(34), "+0.34"), (Cp(-250), "-2.50"), (Mate(3), "#3"), (Mate(-2), "#-2"), (Mate(0), "#0"), (None, ""),
     (PovScore(Cp(-250), chess.WHITE), "+2.50"), (PovScore(Mate(-1), chess.WHITE), "#1")],
)  # fmt: skip
def test_a_score_in_words_for_black(score: Score | PovScore | None, text: str) -> None:
    assert score_text(score, chess.BLACK) == text


def test_a_score_as_one_number() -> None:
    assert [centipawns(score) for score in (Mate(3), Mate(-2), Mate(0), Cp(15), None)] == [
        31997,
        -31998,
        -32000,
        15,
        None,
    ]


@pytest.mark.parametrize(
    "line", ["", "info", "info depth", "info depth x score cp", "info score", "info wdl 1 2", "info string depth 3"]
)
def test_nonsense_is_left_out(line: str) -> None:
    assert parse_info(line) == EngineInfo()


def test_an_answer_reads_its_info_line() -> None:
    answer = Answer(chess.Move.from_uci("e2e4"), info_line="info depth 9 score cp 12")
    assert (answer.info.depth, answer.info.score) == (9, Cp(12))
