"""Resigning, offering, accepting, claiming: tables of cases, and no settings that make a decision raise."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from chess.engine import Cp, Mate
from hypothesis import given
from hypothesis import strategies as st

from bot.engine_pool.values import Answer
from bot.play.adjudication import (
    Adjudicator,
    MoveScore,
    Situation,
    accepts_draw,
    claims_draw,
    offers_draw,
    resigns,
)
from bot.settings import ConductSettings, DrawSettings, ResignSettings
from tests.helpers.games import ME, OTHER, game, state


def seen(*scores: int | None, wdl: int | None = None, **fields: Any) -> Situation:
    """A situation after these scores, the latest of them with a tablebase's result where one is given."""
    found = [MoveScore(None if score is None else Cp(score)) for score in scores]
    if wdl is not None:
        found = [*found[:-1], MoveScore(found[-1].score if found else None, wdl)]
    given: dict[str, Any] = {"ply": 200, "pieces": 8, "opponent": "human", "rating": 2000, "my_rating": 2000}
    return Situation(**(given | fields), scores=found)


def tables(*results: int, **fields: Any) -> Situation:
    """A situation after moves that came from tables."""
    given: dict[str, Any] = {"ply": 200, "pieces": 5, "opponent": "bot"}
    return Situation(**(given | fields), scores=[MoveScore(None, wdl) for wdl in results])


RESIGN = {"enabled": True, "score_cp": -800, "moves": 3}


@pytest.mark.parametrize(
    ("rule", "now", "expected"),
    [
        (RESIGN, seen(-900, -800, -32000), True),
        (RESIGN, seen(-900, -900), False),
        (RESIGN, seen(-900, -700, -900), False),
        (RESIGN, seen(-900, None, -900, -900), False),  # a book move knows no score
        (RESIGN, seen(-900, -900, -900, ply=1), False),
        (RESIGN, seen(-900, -900, -900, ply=2), True),
        (RESIGN | {"enabled": False}, seen(-900, -900, -900), False),
        # tables know better than scores
        (RESIGN, seen(-900, -900, -900, wdl=0), False),
        (RESIGN, seen(-900, -900, -900, wdl=-1), False),
        (RESIGN, seen(-900, -900, -900, wdl=2), False),
        (RESIGN, seen(-900, -900, -900, wdl=-2), True),
        (RESIGN, seen(-900, -900, None, wdl=-2), True),
        (RESIGN, tables(-2, -2, -2), True),
        (RESIGN, tables(-2, -2), False),
        (RESIGN, tables(-2, -2, 0), False),
    ],
)
def test_when_a_game_is_given_up(rule: dict[str, Any], now: Situation, expected: bool) -> None:
    assert resigns(ResignSettings.model_validate(rule), now) is expected


DRAW = {"score_cp": 10, "moves": 3, "min_move": 10}
LEVEL = (5, -10, 0)


@pytest.mark.parametrize(
    ("rule", "now", "offered", "accepted"),
    [
        (DRAW, seen(*LEVEL), True, True),
        (DRAW, seen(*LEVEL, ply=18), True, True),
        (DRAW, seen(*LEVEL, ply=17), False, False),
        (DRAW, seen(5, -11, 0), False, False),
        (DRAW, seen(0, 0), False, False),
        (DRAW, seen(0, None, 0), False, False),
        (DRAW | {"offer": False}, seen(*LEVEL), False, True),
        (DRAW | {"accept": False}, seen(*LEVEL), True, False),
        # by the number of pieces
        (DRAW | {"max_pieces": 7}, seen(*LEVEL, pieces=8), False, False),
        (DRAW | {"max_pieces": 8}, seen(*LEVEL, pieces=8), True, True),
        (DRAW, seen(*LEVEL, opponent="ai"), False, True),
        # contempt: people rated lower get no early draw
        (DRAW, seen(*LEVEL, rating=1801, ply=60), True, True),
        (DRAW, seen(*LEVEL, rating=1800, ply=60), False, False),
        (DRAW, seen(*LEVEL, rating=1800, ply=117), False, False),
        (DRAW, seen(*LEVEL, rating=1800, ply=118), True, True),
        (DRAW, seen(*LEVEL, rating=1800, ply=150), True, True),
        (DRAW, seen(*LEVEL, rating=None, ply=60), True, True),
        (DRAW, seen(*LEVEL, rating=1800, ply=60, opponent="bot"), True, True),
        (DRAW, seen(*LEVEL, rating=1800, ply=60, my_rating=None), True, True),
        (DRAW | {"contempt": False}, seen(*LEVEL, rating=100, ply=60), True, True),
        # worse for long: taken early, from anybody, never offered
        (DRAW, seen(-300, -300, -300, ply=10), False, True),
        (DRAW, seen(-300, -300, -300, ply=10, rating=1000), False, True),
        (DRAW, seen(-300, 5, -300, ply=200), False, False),
        (DRAW, seen(-10, -10, -10, ply=10), False, False),  # level, and too early
        # tables
        (DRAW, tables(0, ply=10), True, True),
        (DRAW, tables(-1, ply=10), True, True),
        (DRAW, tables(-2), False, True),
        (DRAW, tables(1), False, False),
        (DRAW, tables(2), False, False),
        (DRAW, seen(*LEVEL, wdl=2), False, False),
        (DRAW, seen(400, 400, 400, wdl=0), True, True),
        (DRAW, seen(*LEVEL, wdl=0, rating=1500, ply=60), False, False),
        (DRAW, seen(*LEVEL, wdl=-2, rating=1500, ply=60), False, True),
    ],
)
def test_when_a_draw_is_offered_and_accepted(
    rule: dict[str, Any], now: Situation, offered: bool, accepted: bool
) -> None:
    settings = DrawSettings.model_validate(rule)
    assert (offers_draw(settings, now), accepts_draw(settings, now)) == (offered, accepted)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (seen(-50), True),
        (seen(), True),
        (seen(None), True),
        (seen(10), True),
        (seen(11), False),
        (seen(500, wdl=0), True),
        (tables(-2), True),
        (tables(-1), True),
        (tables(1), False),
        (tables(2), False),
        (seen(-500, wdl=2), False),
        # contempt
        (seen(0, rating=1500, ply=60), False),
        (seen(-10, rating=1500, ply=60), False),
        (seen(-11, rating=1500, ply=60), True),
        (seen(None, rating=1500, ply=60), False),
        (seen(0, rating=1500, ply=118), True),
        (seen(0, wdl=0, rating=1500, ply=60), False),
    ],
)
def test_when_a_draw_is_claimed(now: Situation, expected: bool) -> None:
    assert claims_draw(DrawSettings(score_cp=10), now) is expected


def test_the_scores_are_those_of_searches_and_the_results_those_of_tables() -> None:
    adjudicator = Adjudicator(ConductSettings(resign=ResignSettings.model_validate(RESIGN)))
    move = chess.Move.from_uci("e2e4")
    assert adjudicator.last_score is None
    for answer, score in (
        (Answer(move, info_line="info depth 3 score cp -900"), Cp(-900)),
        (Answer(move, source="book"), None),
        (Answer(move, info_line="info score mate -3"), Mate(-3)),
        (Answer(move, info_line="info score cp -900"), Cp(-900)),
        (Answer(move, source="syzygy", wdl=-2), None),
    ):
        adjudicator.add(answer)
        assert adjudicator.last_score == score
    one = game(state("e2e4 e7e5"))
    assert adjudicator.resigns(one)
    adjudicator.add(Answer(None))
    assert not adjudicator.resigns(one)
    for _ in range(3):  # what an engine said before it failed counts for nothing, nor does the table without its move
        adjudicator.add(Answer(None, info_line="info score cp -900", wdl=-2))
        assert adjudicator.last_score is None
    assert not adjudicator.resigns(one)


def test_the_ratings_are_those_of_the_game() -> None:
    draw = DrawSettings(moves=1, min_move=1)
    move = chess.Move.from_uci("e2e4")
    for white, black, offered in ((ME, OTHER, False), (OTHER, ME, False)):
        adjudicator = Adjudicator(ConductSettings(draw=draw))
        adjudicator.add(Answer(move, info_line="info score cp 0"))
        assert adjudicator.offers_draw(game(white=white, black=black)) is offered


SCORES = st.lists(
    st.builds(
        MoveScore,
        st.none()
        | st.builds(Cp, st.integers(-32000, 32000) | st.integers(-5, 5))
        | st.builds(Mate, st.integers(-50, 50)),
        st.none() | st.integers(-2, 2),
    ),
    max_size=12,
)
RATING = st.none() | st.integers(0, 4000)
SITUATIONS = st.builds(
    Situation, st.integers(0, 600), st.integers(2, 32), st.sampled_from(["human", "bot", "ai"]), RATING, RATING, SCORES
)
RESIGNS = st.builds(
    ResignSettings,
    enabled=st.booleans(),
    score_cp=st.integers(-40000, 0),
    moves=st.integers(1, 100),
)
DRAWS = st.builds(
    DrawSettings,
    offer=st.booleans(),
    accept=st.booleans(),
    score_cp=st.integers(0, 40000),
    moves=st.integers(1, 100),
    min_move=st.integers(1, 300),
    max_pieces=st.integers(2, 32),
    contempt=st.booleans(),
)


@given(RESIGNS, SITUATIONS)
def test_no_settings_resign_what_tables_call_drawn_or_won(rule: ResignSettings, now: Situation) -> None:
    assert not (resigns(rule, now) and now.wdl is not None and now.wdl >= -1)


@given(DRAWS, SITUATIONS)
def test_no_settings_give_a_won_position_away(rule: DrawSettings, now: Situation) -> None:
    given_away = offers_draw(rule, now) or accepts_draw(rule, now) or claims_draw(rule, now)
    assert not (given_away and now.wdl is not None and now.wdl > 0)
