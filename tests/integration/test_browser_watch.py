"""Watching the games of others, and what is reported without being seen."""

from __future__ import annotations

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.board_page import BoardPage, own_table
from tests.helpers.browser import shared_browser
from tests.helpers.fake import fake_with_engine, make_fake

__all__ = ["fake_with_engine", "make_fake", "own_table", "shared_browser"]  # fixtures
pytestmark = pytest.mark.slow


def test_names_and_clocks_are_there_at_once(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby", clock=(300, 3))
    table.open_game(game_id)
    table.page.locator("#bottom .name").filter(has_text="BOTOtherBot (1900)").wait_for()
    for row in ("#top", "#bottom"):
        assert table.page.locator(f"{row} .clock").inner_text() == "5:00"


def test_a_new_move_does_not_throw_a_spectator_out_of_history(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby")
    white, black = fake.player("OtherBot", game_id), fake.player("Bobby", game_id)
    white.move("e2e4")
    black.move("e7e5")
    table.open_game(game_id)
    table.wait_for_plies(2)
    table.page.click("#first")
    table.page.locator("[data-square=e2][aria-label='e2, white pawn']").wait_for()
    white.move("g1f3")
    table.wait_for_plies(3)
    assert table.page.locator("#moves [aria-current=true]").count() == 0  # still at the first position
    assert table.piece_on("e2") == "e2, white pawn"
    table.page.click("#last")
    table.page.locator("[data-square=f3][aria-label='f3, white knight']").wait_for()
    black.move("b8c6")  # at the end one follows again
    table.page.locator("[data-square=c6][aria-label='c6, black knight']").wait_for()


def test_a_spectator_may_ask_the_engine(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby")
    table.open_game(game_id)
    table.page.click("#engine")
    table.page.locator("#score").filter(has_text="0.0").wait_for()
    fake.player("OtherBot", game_id).move("e2e4")
    fake.player("Bobby", game_id).wait_for_turn().move("d7d5")
    table.page.locator("#score").filter(has_text="+1.0").wait_for()
    table.page.locator("polygon.best[data-shape=e4d5]").wait_for(state="attached")
    table.page.click("#engine")
    table.page.locator("polygon.best").wait_for(state="detached")


def test_a_player_is_offered_the_engine_after_the_end_only(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    assert not table.page.locator("#engine-card").is_visible()
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    fake.player("Bobby", game_id).resign()
    table.page.locator("#engine-card").wait_for()
    assert f"{fake.url}/web/position" in asked
    assert f"{fake.url}/web/evaluation" not in asked


def test_pieces_taken_and_the_count_are_shown(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    fake.player("Bobby", game_id).wait_for_turn().move("d7d5")
    table.wait_for_plies(2)
    table.click_move("e4d5")
    table.page.locator("#bottom .captured[aria-label='taken: 1 pawn; ahead by 1']").wait_for()
    assert table.page.locator("#bottom .captured img").count() == 1
    assert table.page.locator("#bottom .captured").inner_text() == "+1"


def test_the_opponent_s_moves_are_told_in_words(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    fake.player("Bobby", game_id).wait_for_turn().move("g8f6")
    table.page.locator("#spoken").filter(has_text="Black: knight to f 6.").wait_for()


def clock_texts(table: BoardPage) -> list[str]:
    """The clocks above and below the board."""
    return [table.page.locator(f"{row} .clock").inner_text() for row in ("#top", "#bottom")]


def test_stepping_back_shows_the_clocks_of_that_time(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby", clock=(300, 60))
    white, black = fake.player("OtherBot", game_id), fake.player("Bobby", game_id)
    for uci in ("e2e4", "g1f3"):
        white.wait_for_turn().move(uci)
        black.wait_for_turn().move("e7e5" if uci == "e2e4" else "b8c6")
    table.open_game(game_id)
    table.wait_for_plies(4)
    table.page.click("#back")
    table.page.locator("#top .clock:not(.running)").filter(has_text="5:00").wait_for()
    assert clock_texts(table)[1] != "5:00", "White has got an increment by then"
    black.resign()
    table.page.locator(".result").wait_for()
    assert clock_texts(table)[0] == "5:00", "the end of the game does not change the past"
    table.page.click("#last")
    table.page.locator("#top .clock").filter(has_not_text="5:00").wait_for()


def test_a_player_sees_his_running_clock_wherever_he_looks(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(300, 60))
    white, black = fake.player("Alice", game_id), fake.player("Bobby", game_id)
    white.move("e2e4")
    black.wait_for_turn().move("e7e5")
    table.open_game(game_id)
    table.wait_for_plies(2)
    running = table.page.locator("#bottom .clock.running")
    running.wait_for()
    table.page.click("#first")
    table.page.locator("[data-square=e2][aria-label='e2, white pawn']").wait_for()
    seen = running.inner_text()
    running.filter(has_not_text=seen).wait_for()
    table.page.click("#last")
    table.click_move("g1f3")
    table.page.locator("#bottom .clock:not(.running)").filter(has_not_text=seen).wait_for()


def test_a_provisional_rating_has_a_question_mark(table: BoardPage, fake: FakeLichess) -> None:
    table.open_game(fake.start_game("OtherBot", "Bobby"))
    table.page.locator("#top .name").filter(has_text="Bobby (1500?)").wait_for()
