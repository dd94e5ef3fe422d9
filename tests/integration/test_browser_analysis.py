"""Looking at a game afterwards: stepping, evaluations, variations, and taking the game along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.board_page import BoardPage
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.fake import fake_with_engine, make_fake
from tests.helpers.processes import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["fake_with_engine", "make_fake", "shared_browser"]  # fixtures
pytestmark = pytest.mark.slow
MATE = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")


@pytest.fixture
def table(browser: Browser, fake: FakeLichess) -> Iterator[BoardPage]:
    with watched_page(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        yield BoardPage(page, fake.url)


def play(fake: FakeLichess, *moves: str) -> str:
    """A game of these moves between Alice and Bobby; gives its id."""
    game_id = fake.start_game("Alice", "Bobby", clock=(300, 3))
    for ply, uci in enumerate(moves):
        fake.player(("Alice", "Bobby")[ply % 2], game_id).move(uci)
    return game_id


def open_analysis(table: BoardPage, address: str) -> None:
    """Open an analysis and wait until every ply is evaluated."""
    table.page.goto(f"{table.url}/{address}")
    table.page.locator("#chart-card[data-done]").wait_for()


def current(table: BoardPage, san: str) -> None:
    """Wait until this move is the current one."""
    table.page.locator("#moves [aria-current=true]").filter(has_text=san).wait_for()


def test_the_game_is_stepped_through_with_evaluations(table: BoardPage, fake: FakeLichess) -> None:
    page, game_id = table.page, play(fake, *MATE)
    table.open_game(game_id)
    page.get_by_role("link", name="Analysis").click()
    page.locator("#chart-card[data-done]").wait_for()
    current(table, "Qxf7#")
    page.locator("#opening").filter(has_text="C20 King's Pawn Game: Wayward Queen Attack").wait_for()
    page.locator("#score").filter(has_text="1–0").wait_for()
    page.keyboard.press("ArrowLeft")
    current(table, "Nf6")
    page.locator("#score").filter(has_text="#1").wait_for()
    page.locator("polygon.best[data-shape=h5f7]").wait_for(state="attached")
    page.click("#first")
    table.message("Start of the game")
    page.locator("#score").filter(has_text="0.0").wait_for()
    page.locator("#opening").filter(has_not_text="C20").wait_for()
    assert page.locator("#chart svg").get_attribute("data-points") == "8"
    box = page.locator("#chart svg").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.45, box["y"] + 20)
    current(table, "Qh5")
    cells = page.locator("#judgements tr").filter(has_text="Accuracy").locator("td").all_inner_texts()
    assert [re.fullmatch(r"\d+ %", cell) is not None for cell in cells] == [True, True]
    assert page.locator("#judgements th").all_inner_texts() == ["Accuracy", "Inaccuracies", "Mistakes", "Blunders"]
    assert page.locator("#lines-of-play li").count() <= 3
    assert page.locator("#moves .blunder").count() >= 1  # Nf6 lets the queen mate


CURRENT_IN_SIGHT = """() => {
    const move = document.querySelector("#moves [aria-current=true]").getBoundingClientRect();
    const list = document.querySelector("#moves").getBoundingClientRect();
    return move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
}"""


@pytest.mark.parametrize("size", [(844, 390), (390, 844), (1024, 768)])
def test_the_current_move_is_completely_in_sight(browser: Browser, fake: FakeLichess, size: tuple[int, int]) -> None:
    steps = [f"{file}{rank}{file}{rank + way}" for file in "abcdefgh" for rank, way in ((2, 1), (7, -1))]
    steps += [f"{file}{rank}{file}{rank + way}" for file in "abcdefgh" for rank, way in ((3, 1), (6, -1))]
    game_id = play(fake, *steps)  # every pawn makes two steps
    fake.player("Alice", game_id).resign()
    with watched_page(browser, viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True) as page:
        page.goto(f"{fake.url}/{game_id}/analysis")
        for key, ply in (("End", 32), ("ArrowLeft", 31), ("Home", 0), ("ArrowRight", 1), ("End", 32)):
            page.locator("#moves .move").first.wait_for()
            page.keyboard.press(key)
            page.wait_for_url(f"**#{ply}")
            assert not ply or wait_until(lambda: page.evaluate(CURRENT_IN_SIGHT)), key


def test_the_engine_thinks_on_while_one_looks(table: BoardPage, fake: FakeLichess) -> None:
    open_analysis(table, f"{play(fake, *MATE)}/analysis#2")
    table.page.locator("#score").filter(has_not_text="deeper").filter(has_text="depth").wait_for()
    table.page.evaluate(
        """() => {
          window.shown = [];
          const score = document.getElementById("score");
          new MutationObserver(() => window.shown.push(score.textContent)).observe(score, { childList: true });
        }"""
    )
    table.page.keyboard.press("ArrowLeft")
    # six searches, each deeper: the test's engine answers at once, so each text is shown for a moment only
    table.page.wait_for_function("() => window.shown.filter((text) => text.includes('depth')).length === 6")
    shown = table.page.evaluate("() => window.shown.filter((text) => text.includes('depth'))")
    assert ["deeper" in text for text in shown] == [True] * 5 + [False]
    table.page.locator("#lines-of-play li").nth(2).wait_for()


def test_own_variations_are_added_and_removed(table: BoardPage, fake: FakeLichess) -> None:
    page, game_id = table.page, play(fake, *MATE)
    open_analysis(table, f"{game_id}/analysis#5")
    table.click_move("g7g6")
    current(table, "g6")
    table.drag_move("h5f3")
    current(table, "Qf3")
    page.locator(".variation").filter(has_text="3… g6 4. Qf3".replace(" ", "")).wait_for()
    assert "(3... g6 4. Qf3)" in page.input_value("#pgn")
    page.keyboard.press("ArrowLeft")
    current(table, "g6")
    page.keyboard.press("Delete")
    page.locator(".variation").wait_for(state="detached")
    current(table, "Bc4")
    page.click("#last")
    current(table, "Qxf7#")


def test_fen_pgn_and_link_are_taken_along(table: BoardPage, fake: FakeLichess, tmp_path: Path) -> None:
    page, game_id = table.page, play(fake, *MATE)
    open_analysis(table, f"{game_id}/analysis?black#4")
    assert table.centre("e8")[1] > table.centre("e1")[1]  # Black sits below
    page.click("#copy-fen")
    table.message("Copied.")
    fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3"
    assert page.evaluate("navigator.clipboard.readText()") == fen
    assert page.input_value("#link") == f"{fake.url}/{game_id}/analysis?black#4"
    with page.expect_download() as download:
        page.click("#download")
    assert download.value.suggested_filename == f"{game_id}.pgn"
    download.value.save_as(tmp_path / "game.pgn")
    pgn = (tmp_path / "game.pgn").read_text()
    assert '[White "Alice"]' in pgn
    assert "4. Qxf7#" in pgn


def test_a_player_is_sent_back_to_his_game(table: BoardPage, fake: FakeLichess) -> None:
    game_id = play(fake, "e2e4")
    table.page.goto(f"{table.url}/{game_id}/analysis")
    table.page.wait_for_url(f"{table.url}/{game_id}")
    table.page.locator("#actions button").first.wait_for()
    assert not table.page.locator("#engine-card").is_visible()


def test_arrows_and_circles_by_mouse_and_by_keyboard(table: BoardPage, fake: FakeLichess) -> None:
    page, game_id = table.page, play(fake, *MATE)
    open_analysis(table, f"{game_id}/analysis#2")
    page.mouse.move(*table.centre("g1"))
    page.mouse.down(button="right")
    page.mouse.move(*table.centre("f3"), steps=4)
    page.mouse.up(button="right")
    page.locator("polygon.green[data-shape=g1f3]").wait_for(state="attached")
    table.square("d5").click(button="right", modifiers=["Shift"])
    page.locator("circle.red[data-shape=d5]").wait_for(state="attached")
    table.square("d5").click(button="right", modifiers=["Shift"])
    page.locator("circle.red").wait_for(state="detached")
    page.click("#draw-shapes")
    table.square("a1").focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.locator("polygon.green[data-shape=a1b1]").wait_for(state="attached")
    page.click("#draw-shapes")
    table.square("h5").click()  # an ordinary click wipes them away
    page.locator("polygon.green").first.wait_for(state="detached")


def test_a_finger_draws_in_drawing_mode(browser: Browser, fake: FakeLichess) -> None:
    game_id = play(fake, *MATE)
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with watched_page(browser, **phone) as page:
        table = BoardPage(page, fake.url)
        open_analysis(table, f"{game_id}/analysis#2")
        page.locator("#draw-shapes").tap()
        table.square("e4").tap()
        page.locator("circle.green[data-shape=e4]").wait_for(state="attached")
        assert page.locator("html").evaluate("html => html.scrollWidth") <= 390
