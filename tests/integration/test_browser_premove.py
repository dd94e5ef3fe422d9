"""Planning a move while the opponent thinks: with mouse, finger and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.board_page import BoardPage, own_table
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.fake import fake

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["fake", "own_table", "shared_browser"]  # fixtures
pytestmark = pytest.mark.slow
TOUCH = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def planned(table: BoardPage, *squares: str) -> None:
    """Wait until these squares, and no others, are marked as planned."""
    wanted = sorted(squares)
    marked = "[...document.querySelectorAll('.square.planned')].map(one => one.dataset.square).sort().join()"
    table.page.wait_for_function(f"{marked} === '{','.join(wanted)}'")


def after_e4(table: BoardPage, fake: FakeLichess) -> str:
    """Open a new game as White and play e4."""
    game_id = fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    return game_id


def test_a_planned_move_is_shown_and_played_at_once(table: BoardPage, fake: FakeLichess) -> None:
    game_id = after_e4(table, fake)
    table.drag_move("e4d5")
    planned(table, "e4", "d5")
    assert table.piece_on("d5") == "d5, planned move"
    fake.player("Bobby", game_id).wait_for_turn().move("d7d5")
    table.wait_for_plies(3)
    assert table.moves() == ["e4", "d5", "exd5"]
    fake.wait_for_moves(game_id, 3)
    planned(table)


def test_a_click_cancels_the_plan(table: BoardPage, fake: FakeLichess) -> None:
    game_id = after_e4(table, fake)
    table.click_move("d2d4")
    planned(table, "d2", "d4")
    table.square("h5").click()
    planned(table)
    table.message("The plan is cancelled.")
    table.click_move("d2d4")
    planned(table, "d2", "d4")
    table.page.keyboard.press("Escape")
    planned(table)
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    table.wait_for_plies(2)
    table.message("Your turn.")
    assert fake.game(game_id).moves == ("e2e4", "e7e5")


def test_a_plan_that_has_become_illegal_is_dropped(table: BoardPage, fake: FakeLichess) -> None:
    game_id = after_e4(table, fake)
    table.click_move("e4e5")
    planned(table, "e4", "e5")
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    table.wait_for_plies(2)
    table.message("Your turn.")
    planned(table)
    assert fake.game(game_id).moves == ("e2e4", "e7e5")


def test_a_planned_promotion_makes_a_queen(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", variant="fromPosition", fen="7k/P7/8/8/8/8/8/K7 b - - 0 1")
    table.open_game(game_id)
    table.drag_move("a7a8")
    planned(table, "a7", "a8")
    fake.player("Bobby", game_id).wait_for_turn().move("h8g7")
    table.wait_for_plies(2)
    assert table.moves()[-1] == "a8=Q"


def test_the_keyboard_plans_and_cancels_with_the_black_pieces(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Bobby", "Alice")
    table.open_game(game_id)
    table.square("e7").focus()
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        table.page.keyboard.press(key)
    planned(table, "e7", "e5")
    fake.player("Bobby", game_id).wait_for_turn().move("e2e4")
    table.wait_for_plies(2)
    assert table.moves() == ["e4", "e5"]


def test_a_finger_plans_and_cancels(browser: Browser, fake: FakeLichess) -> None:
    game_id = fake.start_game("Bobby", "Alice")
    with watched_page(browser, **TOUCH) as page:
        table = BoardPage(page, fake.url)
        table.open_game(game_id)
        table.square("g8").tap()
        table.square("f6").tap()
        planned(table, "g8", "f6")
        table.square("e4").tap()
        planned(table)
        table.square("b8").tap()
        table.square("c6").tap()
        planned(table, "b8", "c6")
        fake.player("Bobby", game_id).wait_for_turn().move("e2e4")
        table.wait_for_plies(2)
        assert table.moves() == ["e4", "Nc6"]


def test_a_second_drag_replaces_the_first(table: BoardPage, fake: FakeLichess) -> None:
    game_id = after_e4(table, fake)
    table.drag_move("d2d4")
    planned(table, "d2", "d4")
    table.drag_move("g1f3")
    planned(table, "g1", "f3")
    table.message("Planned: g1 to f3.")
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    table.wait_for_plies(3)
    assert table.moves() == ["e4", "e5", "Nf3"]
