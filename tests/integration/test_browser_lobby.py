"""The lobby and what surrounds a game: errors beside the field, finished games, settings, chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.fake_lichess import Act, FakeLichess, Script
from tests.helpers.board_page import BoardPage, choose_opponent, own_table
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.fake import fake

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

__all__ = ["fake", "own_table", "shared_browser"]  # fixtures
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def open_lobby(table: BoardPage) -> None:
    """Open the lobby and wait until the form is filled."""
    table.page.goto(table.url)
    table.page.locator("#opponent [value='random']").wait_for(state="attached")


def test_a_wrong_position_is_told_beside_its_field(table: BoardPage) -> None:
    open_lobby(table)
    choose_opponent(table.page, "random")
    table.page.select_option("#variant", "fromPosition")
    table.page.fill("#fen", "8/8/8/8/8/8/8/4K3 w - - 0 1")
    table.page.click("#send")
    table.page.locator("#fen-error").filter(has_text="No game can begin here: Black has no king.").wait_for()
    assert table.page.get_attribute("#fen", "aria-describedby") == "fen-error"
    table.page.fill("#fen", "nonsense")
    table.page.click("#send")
    table.page.locator("#fen-error").filter(has_text="This is not a position: ").wait_for()
    table.page.fill("#fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    table.page.click("#send")
    table.page.locator("#actions button").first.wait_for()
    assert table.page.locator("#summary").inner_text().split(" · ")[1] == "From Position"


def test_a_wrong_clock_is_told_beside_its_field(browser: Browser, fake: FakeLichess) -> None:
    with watched_page(browser) as page:
        table = BoardPage(page, fake.url)
        open_lobby(table)
        choose_opponent(page, "random")
        page.evaluate(REFUSE_CHALLENGES)
        page.click("#send")
        page.locator("#minutes-error").filter(has_text="whole minutes up to 180").wait_for()
        page.locator("#status").filter(has_text="Please correct what is marked.").wait_for()


#: A refusal of the server, answered in the page: a real one would be written to the console as an error.
REFUSE_CHALLENGES = """() => {
  const real = window.fetch;
  const body = JSON.stringify({ error: { "clock.limit": ["Invalid value"] } });
  window.fetch = (path, ...rest) =>
    path.startsWith("/api/challenge") ? Promise.resolve(new Response(body, { status: 400 })) : real(path, ...rest);
}"""


@pytest.mark.slow
def test_finished_games_are_filtered_and_lead_to_their_analysis(table: BoardPage, fake: FakeLichess) -> None:
    for white, black in (("Alice", "Bobby"), ("Fresh", "Bobby")):
        game_id = fake.start_game(white, black)
        fake.player(white, game_id).move("e2e4")
        fake.player(black, game_id).move("e7e5")
        fake.player(white, game_id).resign()
    open_lobby(table)
    items = table.page.locator("#finished a")
    items.nth(1).wait_for()
    table.page.select_option("#filters [name=player]", "alice")
    table.page.locator("#finished a").filter(has_text="Fresh").wait_for(state="detached")
    assert items.count() == 1
    assert "0–1 · Resignation: black wins. 1 move" in items.first.inner_text()
    table.page.select_option("#filters [name=result]", "win")
    table.page.locator("#no-finished").filter(has_text="No finished game fits.").wait_for()
    table.page.select_option("#filters [name=result]", "loss")
    items.first.click()
    table.page.wait_for_url(lambda url: "/analysis" in url)
    table.page.locator("#moves [aria-current=true]").filter(has_text="e5").wait_for()


def test_settings_change_the_board_at_once_and_last(table: BoardPage, fake: FakeLichess) -> None:
    page = table.page
    table.open_game(fake.start_game("Alice", "Bobby"))
    page.click("#settings")
    page.select_option("#set-board", "brown")
    page.select_option("#set-pieces", "letters")
    page.uncheck("#set-coordinates")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="hidden")
    page.reload()
    page.locator(".square img[src='/board/pieces/letters/wK.svg']").wait_for()
    assert "brown.svg" in page.locator("#board").evaluate("board => getComputedStyle(board).backgroundImage")
    assert not page.locator(".coordinate").first.is_visible()


def test_sounds_are_heard_unless_they_are_off(table: BoardPage, fake: FakeLichess) -> None:
    page, game_id = table.page, fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    table.click_move("e2e4")
    page.locator("html[data-sound=move]").wait_for(state="attached")
    fake.player("Bobby", game_id).wait_for_turn().move("d7d5")
    table.wait_for_plies(2)
    table.click_move("e4d5")
    page.locator("html[data-sound=capture]").wait_for(state="attached")
    page.click("#settings")
    page.uncheck("#set-sound")
    page.keyboard.press("Escape")
    fake.player("Bobby", game_id).resign()
    table.message("you win")
    assert page.get_attribute("html", "data-sound") == "capture"


def test_fifteen_seconds_are_given(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(300, 0))
    table.open_game(game_id)
    table.page.click("#give-time")
    table.page.locator("#top .clock").filter(has_text="5:15").wait_for()


def test_the_last_seconds_are_told(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(9, 0))
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    table.page.locator("#urgent").filter(has_text="Ten seconds left.").wait_for(state="attached")
    table.page.locator("#bottom .clock.short").wait_for()


def test_a_draw_offer_that_nobody_takes_fades(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    table.wait_for_plies(2)
    table.page.click("#draw")
    table.page.locator("#draw").filter(has_text="Draw offered").wait_for()
    table.click_move("g1f3")
    table.wait_for_plies(3)
    fake.player("Bobby", game_id).wait_for_turn().move("b8c6")
    table.message("Your draw offer was not taken. Your turn.")
    table.page.locator("#draw").filter(has_not_text="offered").wait_for()


@pytest.mark.slow
def test_a_farewell_after_the_end_is_shown(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    table.open_game(game_id)
    table.click_move("e2e4")
    table.wait_for_plies(1)
    fake.player("Bobby", game_id).wait_for_turn().move("e7e5")
    fake.player("Bobby", game_id).resign()
    table.message("you win")
    fake.player("Bobby", game_id).say("Thank you for the game")
    table.page.locator("#lines").filter(has_text="Thank you for the game").wait_for()


def test_escape_gives_up_a_promotion(table: BoardPage, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", variant="fromPosition", fen="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    table.open_game(game_id)
    table.square("a7").click()
    table.square("a8").click()
    table.page.locator(".promotion").wait_for()
    table.page.evaluate("document.activeElement.blur()")
    table.page.keyboard.press("Escape")
    table.page.locator(".promotion").wait_for(state="detached")
    assert table.piece_on("a7") == "a7, white pawn"


def test_spectators_talk(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account(
        "Talker", title="BOT", script=Script(then="idle", acts=(Act(ply=1, do="chat", text="+0.3", room="spectator"),))
    )
    game_id = fake.start_game("Bobby", "Talker")
    table.open_game(game_id)
    table.page.fill("#text", "!eval")
    table.page.keyboard.press("Enter")
    table.page.locator("#lines").filter(has_text="Alice!eval").wait_for()
    fake.player("Bobby", game_id).wait_for_turn().move("e2e4")
    table.page.locator("#lines").filter(has_text="Talker+0.3").wait_for()


def test_a_phone_s_header_shows_the_whole_time_control(browser: Browser, fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(10_800, 60), variant="kingOfTheHill", rated=True)
    with watched_page(browser, **PHONE) as page:
        BoardPage(page, fake.url).open_game(game_id)
        summary = page.locator("#summary")
        summary.filter(has_text="180+60 · King of the Hill · rated").wait_for()
        assert summary.evaluate("one => one.scrollWidth <= one.clientWidth")
        assert page.locator("html").evaluate("html => html.scrollWidth") <= 390


def test_who_connects_a_bot_finds_address_and_token(table: BoardPage, fake: FakeLichess) -> None:
    table.page.goto(fake.url)
    table.page.get_by_text("Connect a bot").click()
    table.page.locator("#tokens tr").filter(has_text="BOT bot88").filter(has_text=fake.token("bot88")).wait_for()
    assert table.page.locator("#address").inner_text() == fake.url
    assert table.page.locator("#tokens tr").filter(has_text="Random").count() == 0


def test_the_lobby_says_whom_one_plays_and_offers_only_that(table: BoardPage, fake: FakeLichess) -> None:
    script = Script(then="idle")
    fake.add_account("Teacher", title="BOT", rating=1900, script=script, variants=("standard", "chess960"), levels=True)
    open_lobby(table)
    page = table.page
    choose_opponent(page, "random")
    page.locator(".opponent:has(input:checked)").filter(has_text="any legal move").wait_for()
    assert page.locator("#level-random").count() == 0
    page.select_option("#variant", "atomic")
    choose_opponent(page, "teacher")
    chosen = page.locator(".opponent:has(input:checked)")
    assert chosen.locator("label").inner_text().split("\n") == ["BOT Teacher", "about 1900", "Standard, Chess960"]
    assert page.input_value("#variant") == "standard", "what it declines is not chosen any more"
    assert page.locator("#variant option[value=atomic]").is_disabled()
    page.select_option("#level-teacher", "1200")
    page.click("#send")
    page.locator("#lines").filter(has_text="!level 1200").wait_for()
    assert page.get_attribute("#text", "placeholder") == "Say something, or try !help"


def test_a_level_of_the_computer_is_chosen_and_remembered(table: BoardPage) -> None:
    open_lobby(table)
    page = table.page
    page.check("#rated")
    page.select_option("#level-ai", "4")
    assert page.is_checked("#opponent [value=ai]")
    assert page.is_disabled("#rated")
    page.click("#send")
    page.locator("#top .name, #bottom .name").filter(has_text="Computer level 4").wait_for()
    open_lobby(table)
    assert page.is_checked("#opponent [value=ai]")
    assert page.input_value("#level-ai") == "4"


def test_a_challenge_on_its_way_moves_nothing(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Busy", script=Script(challenge="ignore"))
    open_lobby(table)
    page = table.page
    choose_opponent(page, "busy")
    before = page.evaluate(PLACES)
    page.click("#send")
    page.locator("#status").filter(has_text="Waiting for Busy").wait_for()
    assert page.evaluate(PLACES) == before
    page.click("#cancel")
    page.locator("#status").filter(has_text="Challenge cancelled.").wait_for()
    assert page.evaluate(PLACES) == before


#: How far down the sections and the fields of the lobby begin.
PLACES = """() => [...document.querySelectorAll("section, #send, #challenge input, #challenge select")]
    .map((one) => one.getBoundingClientRect().top + scrollY)"""


def test_a_new_game_in_the_list_takes_neither_click_nor_focus(table: BoardPage, fake: FakeLichess) -> None:
    first = fake.start_game("Bobby", "Fresh")
    open_lobby(table)
    page = table.page
    link = page.locator(f"[data-game='{first}'] a")
    link.focus()
    fake.start_game("OtherBot", "Fresh")
    page.locator("#running a").nth(1).wait_for()
    assert page.evaluate("document.activeElement.parentElement.dataset.game") == first
    held: list[Route] = []
    page.route("**/web/running", lambda route: held.append(route))
    while not held:
        page.wait_for_timeout(10)
    link.hover()
    page.mouse.down()
    with page.expect_response("**/web/running"):
        held.pop().fulfill(json=[])
    with page.expect_response("**/web/finished*"):  # asked for later, so the page has read the answer above
        page.locator("#filters [name=variant]").evaluate(CHANGED)
    assert link.is_visible(), "the list waits for the end of the click"
    page.mouse.up()
    page.wait_for_url(f"{table.url}/{first}")


CHANGED = "list => list.dispatchEvent(new Event('change', { bubbles: true }))"
