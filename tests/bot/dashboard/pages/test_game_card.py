"""A running game on the page."""

from __future__ import annotations

from bot.dashboard.charts import ScorePoint
from bot.dashboard.games import LastSearch, Side
from bot.dashboard.pages.game_card import board_address, game_card
from tests.bot.dashboard.pictures import game, words

SEARCH = LastSearch(14, 1_250_000, 640_000, 1950.0, "1... e5 2. Nf3", "")


def test_another_position_has_another_address() -> None:
    addresses = {board_address(game(ply=1, last_uci=uci)) for uci in ("e2e4", "d2d4")}
    assert len(addresses | {board_address(game())}) == 3


def test_a_card_shows_both_players_the_last_move_and_the_last_search() -> None:
    scores = (ScorePoint(2, 90), ScorePoint(4, 34))
    moved = {"last_move": "2... Nc6", "last_uci": "b8c6", "ply": 4, "score_cp": 34}
    card = game_card(game(search=SEARCH, scores=scores, **moved))
    assert words(card) == (
        "Alice 1700 1:00 BOT me 2000 1:05 2... Nc6 +0.34 blitz · rated +10 +3 0 −3 −10"
        " depth 14 1.25 M nodes 640 k nodes/s 1.9 s 1... e5 2. Nf3"
    )
    for label in (
        'aria-label="BOT me against Alice"',
        'aria-label="Evaluation of game abcdefgh from our side, now +0.34"',
        'alt="Position of game abcdefgh, last move 2... Nc6"',
        'data-ms="65000" data-running="yes"',
    ):
        assert label in card, label
    assert card.count("data-running") == 1, "only one clock runs"


def test_a_card_without_clock_rating_or_score_has_no_empty_words() -> None:
    sides = {"white": Side("me", None, None, False), "black": Side("Alice", None, None, False)}
    card = game_card(game(variant="atomic", rated=False, score_cp=None, **sides))
    assert words(card) == "Alice me – – blitz · atomic · casual +10 +3 0 −3 −10 No search yet"
    assert "<time" not in card
    assert 'no move yet"' in card
    assert "from our side, nothing searched yet" in card


def test_the_chart_of_a_long_game_is_as_wide_as_the_game() -> None:
    assert 'data-plies="40"' in game_card(game(ply=12))
    assert 'data-plies="77"' in game_card(game(ply=77))


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
