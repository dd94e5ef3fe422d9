"""The standing of a match, read from its file and counted on, and its statistics."""

from __future__ import annotations

import math
import random

import pytest

from engine88.training.match.game import MatchGame, pgn_of
from engine88.training.match.standing import (
    PlayedPair,
    Sprt,
    Standing,
    elo_of,
    log_likelihood_ratio,
    read_pairs,
    score_of,
    statistics,
    verdict,
)


def test_elo_and_score_are_inverse() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    assert score_of(elo_of(0.63)) == pytest.approx(0.63)
    assert (elo_of(1.0), elo_of(0.0)) == (math.inf, -math.inf)


def test_no_pairs_say_nothing() -> None:
    found = statistics([0] * 5)
    assert (found.elo, found.elo_low, found.elo_high) == (0, -math.inf, math.inf)
    assert log_likelihood_ratio([0] * 5, Sprt(0, 5)) == 0
    assert verdict([0] * 5, Sprt(0, 5)) is None


def test_the_bar_is_that_of_the_mean_of_pairs() -> None:
    pentanomial = [10, 50, 200, 90, 30]
    samples = [i / 4 for i, count in enumerate(pentanomial) for _ in range(count)]
    mean = sum(samples) / len(samples)
    deviation = math.sqrt(sum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1))
    error = deviation / math.sqrt(len(samples))
    found = statistics(pentanomial)
    assert found.score == pytest.approx(mean)
    assert found.elo_low == pytest.approx(elo_of(mean - 1.96 * error), abs=0.3)
    assert found.elo_high == pytest.approx(elo_of(mean + 1.96 * error), abs=0.3)
    assert found.normalised_elo == pytest.approx(
        (mean - 0.5) / (deviation * math.sqrt(2)) * 800 / math.log(10), abs=0.3
    )


def test_equal_results_of_a_few_pairs_are_no_proof() -> None:
    found = statistics([0, 0, 0, 0, 4])
    assert found.elo == math.inf
    assert found.elo_low < 1000
    assert verdict([0, 0, 0, 0, 2], Sprt(0, 5)) is None


def test_the_two_games_of_a_pair_count_together() -> None:
    even = statistics([0, 0, 100, 0, 0])  # each opening is won by the side with White
    spread = statistics([25, 0, 50, 0, 25])
    assert even.elo_high < spread.elo_high / 3


def test_the_ratio_is_that_of_normal_likelihoods() -> None:
    pentanomial = [20, 60, 150, 80, 40]
    sprt = Sprt(0, 10)
    counts = [count + 0.2 for count in pentanomial]
    total = sum(counts)
    mean = sum(c * i / 4 for i, c in enumerate(counts)) / total
    variance = sum(c * (i / 4 - mean) ** 2 for i, c in enumerate(counts)) / total

    def log_likelihood(expected: float) -> float:
        return -sum(pentanomial) * (mean - expected) ** 2 / (2 * variance)

    wanted = log_likelihood(score_of(10)) - log_likelihood(score_of(0))
    assert log_likelihood_ratio(pentanomial, sprt) == pytest.approx(wanted)


@pytest.mark.parametrize(("elo", "accepted"), [(-10, "0"), (15, "5")])
def test_the_test_finds_what_is_true(elo: float, accepted: str) -> None:
    chooser = random.Random(5)
    win = score_of(elo) - 0.25
    pentanomial = [0] * 5
    sprt = Sprt(0, 5, "normalised")
    for _ in range(60_000):
        games = chooser.choices([0, 1, 2], [0.5 - win, 0.5, win], k=2)
        pentanomial[sum(games)] += 1
        if verdict(pentanomial, sprt):
            break
    assert verdict(pentanomial, sprt) == f"SPRT: {accepted} Elo accepted"


def test_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=0.001)


FEN = "6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 3 20"


def pgn(pair: int, *results: str) -> str:
    text = ""
    for number, result in enumerate(results, 1):
        game = MatchGame(FEN, ["a2a1"], ["Ra1# {+1.00/3 0.1s}"], result=result, reason="checkmate")
        text += pgn_of(game, {"Event": "A - B", "Round": f"{pair}.{number}", "White": "A", "Black": "B"})
    return text


def test_pairs_are_counted_for_the_first_engine() -> None:
    text = pgn(1, "1-0", "1-0") + pgn(2, "1/2-1/2", "0-1")
    record = read_pairs(text)
    ends = ("checkmate", "checkmate")
    assert record.pairs == (PlayedPair((2, 0), ends), PlayedPair((1, 2), ends))
    assert record.size == len(text)


def test_a_torn_pair_is_left_out_wherever_it_is_cut() -> None:
    first, second = pgn(1, "1-0", "0-1"), pgn(2, "1-0", "1/2-1/2")
    for cut in range(len(second)):
        record = read_pairs(first + second[:cut])
        assert (len(record.pairs), record.size) == (1, len(first))
    assert len(read_pairs(first + second).pairs) == 2


def test_pairs_of_another_order_are_none() -> None:
    assert read_pairs(pgn(2, "1-0", "0-1")).size == 0
    assert read_pairs("no PGN").pairs == ()


def test_pairs_and_games_are_counted() -> None:
    standing = Standing([PlayedPair((2, 1), ("checkmate", "adjudication"))] * 3)
    standing.add(PlayedPair((0, 1), ("time forfeit", "checkmate")))
    assert standing.pentanomial == [0, 1, 0, 3, 0]
    assert standing.line(None).startswith("8 games: +3 =4 -1, pairs [0, 1, 0, 3, 0], 62.5 %, Elo +88.7 (")
    assert standing.endings() == "4 checkmate, 3 adjudication, 1 time forfeit"
    line = standing.line(Sprt(0, 5))
    assert "LLR +" in line
    assert line.endswith("(-2.94 to 2.94) [0, 5]")
