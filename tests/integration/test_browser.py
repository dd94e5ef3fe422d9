"""A person plays in a real browser: clicking, dragging, by keyboard, watching, on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bot.fake_lichess import Act, FakeLichess, Script
from tests.helpers.board_page import GAME_ADDRESS, BoardPage, choose_opponent, own_table
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.ending import closed_at_end
from tests.helpers.fake import fake

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["fake", "own_table", "shared_browser"]  # fixtures


VIEW_HEIGHT = 800
PROMOTION_GAME = ("e2e4", "e4d5", "d5c6", "c6b7", "b7a8q", "g1f3", "f1e2", "e1g1")
REPLIES = ("d7d5", "c7c6", "g8f6", "c8d7", "e7e6", "f8e7", "e8g8", "d7c6")


def test_a_whole_game_with_promotion_castling_and_an_illegal_attempt_then_a_rematch(
    table: BoardPage, fake: FakeLichess
) -> None:
    fake.add_account("Script", script=Script(moves=REPLIES, then="idle", takeback="accept"))
    game_id = table.challenge("script")
    table.drag_move("e2e5")  # not legal: the pawn goes back
    table.message("That move is not legal.")
    assert table.piece_on("e2") == "e2, white pawn"
    for number, uci in enumerate(PROMOTION_GAME):
        (table.drag_move if number % 3 == 1 else table.click_move)(uci)
        table.wait_for_plies(2 * number + 2)
    assert table.moves()[8::2] == ["bxa8=Q", "Nf3", "Be2", "O-O"]
    assert table.piece_on("f1") == "f1, white rook"
    table.page.click("#takeback")
    table.page.locator("#moves button[data-ply='16']").wait_for(state="detached")
    table.page.click("#resign")
    table.page.click("#resign")
    table.message("0–1 · Resignation: you lose.")
    assert fake.game(game_id).status == "resign"
    table.page.click("#rematch")
    table.page.wait_for_url(lambda url: GAME_ADDRESS.search(url) is not None and game_id not in url)
    report = fake.game(table.game_id)
    assert (report.white, report.black) == ("Script", "Alice")


@pytest.mark.slow
def test_mate_is_given_by_the_black_pieces_from_a_turned_board(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Fool", script=Script(moves=("f2f3", "g2g4"), then="idle"))
    game_id = table.challenge("fool", color="black")
    table.wait_for_plies(1)
    assert table.centre("e8")[1] > table.centre("e1")[1]  # Black sits below
    table.drag_move("e7e5")
    table.wait_for_plies(3)
    table.click_move("d8h4")
    table.message("0–1 · Checkmate: you win.")
    assert "check" in (table.square("e1").get_attribute("class") or "")
    assert fake.game(game_id).status == "mate"
    assert table.page.get_by_role("link", name="PGN").get_attribute("href") == f"/game/export/{game_id}"


def test_the_keyboard_alone_is_enough(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Script", script=Script(moves=("e7e5",), then="idle"))
    table.challenge("script")
    table.square("e2").focus()
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        table.page.keyboard.press(key)
    table.wait_for_plies(2)
    assert table.moves() == ["e4", "e5"]
    table.page.locator("#back").focus()
    table.page.keyboard.press("ArrowLeft")
    table.page.locator("#moves button[data-ply='1'][aria-current='true']").wait_for()
    table.page.locator("[data-square=e7][aria-label='e7, black pawn']").wait_for()


def test_a_token_signs_in_where_the_page_is_not_told_any(table: BoardPage, fake: FakeLichess) -> None:
    page = table.page
    page.route("**/web/people", lambda route: _without_tokens(route))
    page.goto(fake.url)
    page.fill("#token", fake.token("Bobby"))
    page.click("#send")
    page.locator("#person option").filter(has_text="Bobby").wait_for(state="attached")
    page.locator("#token-field").wait_for(state="hidden")


def _without_tokens(route: Any) -> None:
    """The answer that another machine gets."""
    context = route.fetch().json()
    people = [{"name": one["name"], "id": one["id"], "title": None} for one in context["people"]]
    route.fulfill(json=context | {"people": people})


@pytest.mark.slow
def test_the_board_is_turned_and_the_colours_stay_as_chosen(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Script", script=Script(then="idle"))
    table.challenge("script")
    below = table.centre("e1")[1]
    table.page.click("#flip")
    assert table.centre("e1")[1] < below
    assert table.page.locator("#top .name").inner_text().startswith("Alice")
    table.page.click("#theme")
    table.page.reload()
    table.page.locator("html.dark").wait_for(state="attached")


@pytest.mark.slow
def test_offers_of_the_opponent_are_shown_and_accepted(table: BoardPage, fake: FakeLichess) -> None:
    acts = (Act(ply=3, do="chat", text="Shall we?"), Act(ply=3, do="offer_draw"))
    fake.add_account("Script", script=Script(moves=("e7e5",), then="idle", acts=acts))
    game_id = table.challenge("script")
    table.click_move("e2e4")
    table.wait_for_plies(2)
    table.click_move("g1f3")
    table.page.locator("#lines").filter(has_text="Shall we?").wait_for()
    table.page.get_by_role("button", name="Accept").click()
    table.message("½–½ · Draw.")
    assert fake.game(game_id).status == "draw"


def test_chat_is_sent_and_shown_as_text(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Script", script=Script(then="idle"))
    game_id = table.challenge("script")
    table.page.fill("#text", "<b>hello</b> & good luck")
    table.page.keyboard.press("Enter")
    table.page.locator("#lines").filter(has_text="<b>hello</b> & good luck").wait_for()
    assert ("Alice", "<b>hello</b> & good luck", "player") in fake.game(game_id).chat


def test_a_game_between_others_is_watched_live_in_the_dark(browser: Browser, fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby")
    white, black = fake.player("OtherBot", game_id), fake.player("Bobby", game_id)
    with watched_page(browser, color_scheme="dark") as page:
        page.goto(fake.url)
        page.locator("#running a").filter(has_text="BOT OtherBot – Bobby").click()
        page.locator("#bottom .name").filter(has_text="OtherBot").wait_for()
        white.move("e2e4")
        black.move("c7c5")
        page.locator("#moves button[data-ply='2']").wait_for()
        assert page.locator("#actions button").count() == 0
        assert "dark" in (page.locator("html").get_attribute("class") or "")
        black.resign()
        page.locator("#message").filter(has_text="1–0 · Resignation: white wins.").wait_for()


def test_a_declined_challenge_says_why(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Shy", script=Script(challenge="tooFast"))
    table.page.goto(fake.url)
    choose_opponent(table.page, "shy")
    table.page.click("#send")
    table.page.locator("#status").filter(has_text="Shy declines: This time control is too fast for me").wait_for()


def test_a_challenge_is_cancelled(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Busy", script=Script(challenge="ignore"))
    table.page.goto(fake.url)
    choose_opponent(table.page, "busy")
    table.page.select_option("#variant", "fromPosition")
    table.page.fill("#fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    table.page.click("#send")
    table.page.locator("#status").filter(has_text="Waiting for Busy").wait_for()
    box = table.page.locator("#status").bounding_box()
    assert box is not None
    assert int(box["y"] + box["height"]) <= VIEW_HEIGHT, "in sight, with the way to give up"
    table.page.click("#cancel")
    table.page.locator("#status").filter(has_text="Challenge cancelled.").wait_for()


@pytest.mark.slow
def test_crazyhouse_pieces_are_dropped_from_the_hand(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Script", script=Script(moves=("d7d5", "d8d5"), then="idle"))
    table.challenge("script", variant="crazyhouse")
    table.click_move("e2e4")
    table.wait_for_plies(2)
    table.click_move("e4d5")
    table.wait_for_plies(4)
    table.page.locator("#bottom").get_by_role("button", name="P in hand: 1").click()
    table.square("e4").click()
    table.wait_for_plies(5)
    assert table.moves()[-1] == "@e4"


def test_a_phone_shows_everything_without_scrolling_sideways(browser: Browser, fake: FakeLichess) -> None:
    fake.add_account("Script", script=Script(moves=("e7e5",), then="idle"))
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with watched_page(browser, **phone) as page:
        table = BoardPage(page, fake.url)
        table.challenge("script")
        table.square("e2").tap()
        table.square("e4").tap()
        table.wait_for_plies(2)
        width = page.locator("html").evaluate("html => html.scrollWidth")
        board = page.locator("#board").bounding_box()
        assert width <= 390
        assert board is not None
        assert board["width"] > 350


def test_the_end_of_a_game_is_told_in_one_place(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", rated=True)
    table.open_game(game_id)
    table.click_move("e2e4")
    fake.player("Bobby", game_id).wait_for_turn().move("c7c5")
    table.wait_for_plies(2)
    fake.player("Bobby", game_id).resign()
    ending = table.page.locator("#ending")
    for words in ("You win", "Resignation", "Alice: ", "→", "(+", "Sicilian Defense"):
        ending.filter(has_text=words).wait_for()
    for name in ("Rematch", "Analysis", "New game", "PGN"):
        ending.locator(".actions").get_by_text(name, exact=True).wait_for()


def test_a_game_that_the_server_has_forgotten_leads_to_the_lobby(browser: Browser, fake: FakeLichess) -> None:
    window = closed_at_end(browser.new_context())  # a status of 404 is an error on the console
    page = window.new_page()
    table = BoardPage(page, fake.url)
    game_id = fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    page.locator("#resign, #abort").wait_for()
    fake.call(lambda: fake.world.games.pop(game_id))
    fake.restart(down_s=0.1)
    page.locator("#ending h2").filter(has_text="This game no longer exists").wait_for()
    assert page.locator("#ending a").get_attribute("href") == "/"
    assert page.locator("main button:not(:disabled):not(.square)").count() == 0
    assert page.locator(".clock.running").count() == 0
    page.reload()
    page.get_by_role("heading", name="This game no longer exists").wait_for()
    page.get_by_role("link", name="To the lobby").click()
    page.locator("#opponent").wait_for()
