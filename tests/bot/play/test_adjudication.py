"""Resigning, offering, accepting, claiming."""

from __future__ import annotations

from bot.play.adjudication import Adjudicator
from bot.settings import DrawSettings, ResignSettings

RESIGN = ResignSettings(enabled=True, score_cp=-800, moves=3)
DRAW = DrawSettings(score_cp=10, moves=3, min_move=10)


def judge(*scores: int | None, resign: ResignSettings = RESIGN, draw: DrawSettings = DRAW) -> Adjudicator:
    """One who has seen these scores."""
    one = Adjudicator(resign, draw)
    for score in scores:
        one.saw(score)
    return one


def test_resigns_only_after_a_whole_row_of_bad_scores() -> None:
    assert judge(-900, -800, -32000).resigns(40)
    assert not judge(-900, -900).resigns(40)
    assert not judge(-900, -700, -900).resigns(40)
    assert not judge(-900, None, -900, -900).resigns(40)  # a book move knows no score
    assert not judge(-900, -900, -900).resigns(1)
    assert not judge(-900, -900, -900, resign=ResignSettings()).resigns(40)


def test_offers_and_accepts_a_level_game_late_enough() -> None:
    level = judge(5, -10, 0)
    assert level.offers_draw(40)
    assert level.accepts_draw(18)
    assert not level.accepts_draw(17)
    assert not judge(5, -11, 0).accepts_draw(40)
    assert not judge(0, 0).offers_draw(40)
    assert not judge(0, 0, 0, draw=DrawSettings(offer=False, moves=3)).offers_draw(200)
    assert judge(0, 0, 0, draw=DrawSettings(offer=False, moves=3)).accepts_draw(200)


def test_takes_a_draw_unless_better() -> None:
    assert judge(-50).claims_draw
    assert judge().claims_draw
    assert judge(10).claims_draw
    assert not judge(11).claims_draw
