"""The dashboard in a real browser: it renews itself, fits a phone, and loads nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from bot.account.dispatcher import Snapshot
from bot.dashboard import DashboardServer, Meters, Observer, Sources
from bot.fake_lichess import FakeLichess
from bot.service.command_handler import CommandHandler
from bot.service.service import Service
from bot.settings import DashboardSettings
from tests.bot.dashboard.pictures import BLACK_WON, PLAIN, kept
from tests.bot.dashboard.test_games import running
from tests.bot.service.test_service import settings_for
from tests.helpers.axe import axe_source, grave_violations
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.ending import closed_at_end
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake
from tests.helpers.processes import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["fake", "shared_browser"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
PLAYING = Snapshot(True, False, False, 1, (), (), (running("e2e4 e7e5 g1f3"),), 0, 1.0, 1, {})
LIGHT, DARK = "rgb(244, 242, 236)", "rgb(27, 30, 33)"
CURRENT_IN_SIGHT = """() => {
    const link = document.querySelector("#moves [aria-current]").getBoundingClientRect();
    const list = document.querySelector("#moves").getBoundingClientRect();
    return link.top >= list.top - 1 && link.bottom <= list.bottom + 1;
}"""
GROUND = "getComputedStyle(document.body).backgroundColor"


@contextmanager
def served(password: str | None = None, **sources: Any) -> Iterator[str]:
    """The address of a dashboard of a bot that is starting, with made-up sources."""
    settings = DashboardSettings.model_validate({"port": 0, "password": password})
    server = DashboardServer(settings, Observer(Sources(**(PLAIN | sources))), Meters())
    try:
        assert server.start()
        yield server.url
    finally:
        server.stop()


def shown(page: Page, move: str, score: str | None = None) -> None:
    """Wait until a move is the present one."""
    page.locator("#now-move").filter(has_text=re.compile(rf"^{re.escape(move)}$")).wait_for()
    page.locator("#moves a[aria-current]").filter(has_text=move.split()[-1]).wait_for()
    assert score is None or page.inner_text("#now-score") == score


@pytest.mark.slow
@pytest.mark.parametrize("context", [{}, PHONE], ids=["desktop", "phone"])
def test_the_page_follows_a_game(browser: Browser, fake: FakeLichess, context: dict[str, Any]) -> None:
    service = closed_at_end(Service(settings_for(fake, tiny_entry(slots=2), dashboard={"port": 0})))
    service.start()
    assert service.dashboard is not None
    with watched_page(browser, **context) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(service.dashboard.url)
        page.wait_for_selector("text=No game is running.")
        game_id = fake.start_game("Alice", "bot88", clock=(600, 0))
        fake.player("Alice", game_id).move("e2e4")
        page.wait_for_selector(".game .square img")
        page.evaluate("document.querySelector('.game').mark = 'the same element'")
        page.focus(".moves")
        assert wait_until(lambda: page.inner_text(".facts .last").startswith("1..."))
        assert page.evaluate("document.querySelector('.game').mark") == "the same element"
        assert page.evaluate("document.activeElement.className") == "moves"
        page.wait_for_selector("svg.evaluation path.line", state="attached")
        assert wait_until(lambda: page.evaluate("document.querySelector('.square img').naturalWidth") > 0)
        clock = page.inner_text("time[data-running]")
        assert wait_until(lambda: page.inner_text("time[data-running]") != clock)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert page.evaluate(GROUND) == (DARK if context else LIGHT)
        assert [url for url in asked if not url.startswith(service.dashboard.url)] == []


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desktop", "phone"])
def test_a_finished_game_is_stepped_through(browser: Browser, context: dict[str, Any]) -> None:
    with (
        served(game=lambda _game_id: kept(color="black", pgn=BLACK_WON)) as url,
        watched_page(browser, **context) as page,
    ):
        page.goto(f"{url}/game/abcdefgh")
        shown(page, "2... Qh4#", "+3.20")
        for key, words in (("Home", "Start"), ("ArrowRight", "1. f3"), ("ArrowRight", "1... e5"), ("End", "2... Qh4#")):
            page.keyboard.press(key)
            shown(page, words)
        page.keyboard.press("ArrowLeft")
        shown(page, "2. g4")
        page.click("#back")
        shown(page, "1... e5", "+1.60")
        assert page.inner_text("#clock-black") == "2:58"
        assert page.url.endswith("?ply=2")
        page.locator("svg.evaluation").click(position={"x": 2, "y": 20})
        shown(page, "Start")
        page.locator("#moves a", has_text="g4").click()
        shown(page, "2. g4")
        assert page.get_attribute("chess-board", "aria-label") == "Position after 2. g4"
        page.locator("[data-square=g4].last img[src='/board/pieces/classic/wP.svg']").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desktop", "phone"])
def test_the_present_move_of_a_long_game_is_in_sight(browser: Browser, context: dict[str, Any]) -> None:
    pgn = " ".join(
        f"{number}. N{'f3' if number % 2 else 'g1'} N{'f6' if number % 2 else 'g8'}" for number in range(1, 61)
    )
    with served(game=lambda _game_id: kept(pgn=f"{pgn} *")) as url, watched_page(browser, **context) as page:
        page.goto(f"{url}/game/abcdefgh")
        for key in ("End", "Home", "End", "ArrowLeft"):
            assert wait_until(lambda: page.evaluate(CURRENT_IN_SIGHT)), key
            page.keyboard.press(key)
        assert page.evaluate("window.scrollY") == 0


def test_a_board_is_flipped_and_shows_check_captures_arrows_and_coordinates(browser: Browser) -> None:
    pgn = '[White "bot88"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ *'
    with served(game=lambda _game_id: kept(pgn=pgn)) as url, watched_page(browser) as page:
        page.goto(f"{url}/game/abcdefgh")
        page.locator("[data-square=e1].check").wait_for()
        page.locator(".captured[data-color=white] img[src='/board/pieces/classic/bP.svg']").wait_for()
        below = "names => names.at(-1).textContent"
        assert page.locator(".seat .name").evaluate_all(below) == "bot88"
        assert page.locator("[data-square=a1] .coordinate").count() == 2
        page.click(".flip")
        page.locator("[data-square=h8] .coordinate").nth(1).wait_for(state="attached")
        boxes = [page.locator(one).bounding_box() for one in (".seat .name >> nth=1", "chess-board")]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["y"] < boxes[1]["y"], "the players change places"
        page.keyboard.press("ArrowLeft")
        page.locator("[data-square=e1]:not(.check)").wait_for()
        page.locator("[data-square=e4]").hover()
        page.mouse.down(button="right")
        page.locator("[data-square=e5]").hover()
        page.mouse.up(button="right")
        page.locator("polygon.green[data-shape=e4e5]").wait_for(state="attached")


def test_a_finished_game_is_stepped_through_by_touch(browser: Browser) -> None:
    with (
        served(game=lambda _game_id: kept(color="black", pgn=BLACK_WON)) as url,
        watched_page(browser, **PHONE, has_touch=True) as page,
    ):
        page.goto(f"{url}/game/abcdefgh?ply=1")
        box = page.locator("chess-board").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] - 20, box["y"] + 20)
        shown(page, "1... e5")
        page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
        shown(page, "1. f3")


def test_the_colours_chosen_last(browser: Browser) -> None:
    with served() as url, watched_page(browser) as page:
        page.goto(url)
        for words, ground in (("auto", LIGHT), ("light", LIGHT), ("dark", DARK)):
            assert words in page.inner_text("#theme")
            assert page.evaluate(GROUND) == ground
            page.keyboard.press("Tab") if words == "auto" else None
            page.focus("#theme")
            page.keyboard.press("Enter")
        page.click("#theme")
        page.click("#theme")
        page.reload()
        assert "dark" in page.inner_text("#theme")
        assert page.evaluate(GROUND) == DARK


@pytest.mark.slow
def test_the_operator_signs_in_pauses_challenges_and_signs_out(browser: Browser, fake: FakeLichess) -> None:
    password = {"port": 0, "password": "correct horse"}
    service = closed_at_end(Service(settings_for(fake, tiny_entry(slots=2), dashboard=password)))
    service.start()
    assert service.dashboard is not None
    service.dashboard.take_commands(CommandHandler(service).handle)
    with watched_page(browser) as page:
        page.goto(service.dashboard.url)
        page.get_by_role("link", name="Sign in").click()
        page.get_by_label("Password").fill("correct horse")
        with page.expect_navigation():  # to the page with all its scripts: they send the forms
            page.keyboard.press("Enter")
        page.get_by_label("Challenge", exact=False).first.fill("Alice")
        page.get_by_role("button", name="Pause").click()
        page.locator("#said").filter(has_text="paused").wait_for()
        page.get_by_role("button", name="Resume").wait_for()
        assert service.admission.paused
        page.locator(".badge.paused").wait_for()
        assert page.input_value("input[name=user]") == "Alice"
        page.get_by_role("button", name="Resume").click()
        page.get_by_role("button", name="Pause").wait_for()
        assert not service.admission.paused
        page.get_by_role("button", name="Challenge").click()
        page.locator("#said").filter(has_text="challenged Alice").wait_for()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("link", name="Sign in").wait_for()
        assert page.locator("#controls").count() == 0


@pytest.mark.parametrize("path", ["/", "/games", "/game/abcdefgh", "/game/missing", "/login"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible(browser: Browser, path: str, scheme: Any) -> None:
    source = axe_source()
    one = {
        "game": lambda game_id: kept() if game_id == "abcdefgh" else None,
        "played": lambda _since_s: [kept()],
    }
    with served("correct horse", **one) as url:
        window = browser.new_context(color_scheme=scheme, bypass_csp=True)
        page = window.new_page()
        if path == "/":
            page.goto(f"{url}/login")
            page.get_by_label("Password").fill("correct horse")
            page.keyboard.press("Enter")
            page.locator("#controls").wait_for()
        page.goto(url + path)
        assert grave_violations(page, source) == []
        window.close()
