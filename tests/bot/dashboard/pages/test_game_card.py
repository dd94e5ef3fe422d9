"""A running game on the page."""

from __future__ import annotations

from bot.dashboard.charts import ScorePoint
from bot.dashboard.games import LastSearch
from bot.dashboard.pages.game_card import board_address, game_card
from tests.bot.dashboard.pictures import game

SEARCH = LastSearch(14, 1_250_000, 640_000, 1950.0, "1... e5 2. Nf3", "")


def test_another_position_has_another_address() -> None:
    addresses = {board_address(game(ply=1, last_uci=uci)) for uci in ("e2e4", "d2d4")}
    assert len(addresses | {board_address(game())}) == 3


def test_the_last_search_is_told() -> None:
    card = game_card(game(search=SEARCH, scores=(ScorePoint(2, 34),)))
    for words in ("depth 14", "1.25 M nodes", "640 k nodes/s", "1.9 s", "1... e5 2. Nf3", "now +0.34"):
        assert words in card, words


def test_a_move_from_a_book_names_the_book() -> None:
    card = game_card(game(search=LastSearch(None, None, None, 2.0, "", "book")))
    assert "from book" in card
    assert "depth" not in card


def test_what_an_engine_does_not_tell_is_left_out() -> None:
    assert "nodes" not in game_card(game(search=LastSearch(9, None, None, 500.0, "", "")))


def test_moves_are_numbered_from_the_first_position() -> None:
    card = game_card(game(san=("e4", "e5", "Nf3"), first_ply=0))
    assert "<b>1.</b>&nbsp;<span>e4</span> <span>e5</span> <b>2.</b>&nbsp;<span>Nf3</span>" in card
    card = game_card(game(san=("Kd7", "Kd2"), first_ply=79))
    assert "<b>40...</b>&nbsp;<span>Kd7</span> <b>41.</b>&nbsp;<span>Kd2</span>" in card
