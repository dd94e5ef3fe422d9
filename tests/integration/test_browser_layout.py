"""The board page on screens of every size, and the contrast of every mark on every board."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

from bot.board.drawing import BOARDS
from bot.fake_lichess import FakeLichess
from tests.helpers.board_page import BoardPage
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.fake import fake

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["fake", "shared_browser"]  # fixtures
pytestmark = pytest.mark.slow
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
#: Width and height of the screen, and the least share of its shorter side that the board takes.
SCREENS = {
    "phone": (390, 844, 0.94),
    "landscape phone": (844, 390, 0.94),
    "tablet": (1024, 768, 0.7),
    "desktop": (1920, 1080, 0.8),
}
SMALL_TARGETS = """() => [...document.querySelectorAll("button, a.button, select, input")]
    .filter((one) => one.checkVisibility() && !one.closest(".board, [hidden], .choices") && one.type !== "checkbox")
    .map((one) => [one.id || one.className || one.textContent, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 43.5 || height < 43.5)).map(([name]) => name)"""
MARKS = (
    *("last", "selected", "check", "planned", "target", "target ahead"),
    *("target taken", "target ahead taken", "target over"),
)
CHANGE_MARKS = """([square, marks, on]) => {
  for (const mark of marks) document.querySelector(`#board [data-square=${square}]`).classList.toggle(mark, on);
}"""
LEAST_SHARE = 0.03  # of a square's pixels that stand out


def play(fake: FakeLichess, *moves: str) -> str:
    """A running game of these moves between Alice and Bobby."""
    game_id = fake.start_game("Alice", "Bobby", clock=(300, 3))
    for ply, uci in enumerate(moves):
        fake.player(("Alice", "Bobby")[ply % 2], game_id).wait_for_turn().move(uci)
    return game_id


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_board_clocks_and_buttons_fit_the_screen(browser: Browser, fake: FakeLichess, screen: str, scheme: str) -> None:
    width, height, share = SCREENS[screen]
    touch = {} if screen == "desktop" else TOUCH
    size = {"width": width, "height": height}
    with watched_page(browser, viewport=size, color_scheme=scheme, **touch) as page:
        table = BoardPage(page, fake.url)
        table.open_game(play(fake, "e2e4", "e7e5"))
        page.locator("#resign").wait_for()
        boxes = {name: page.locator(name).bounding_box() for name in ("#board", "#top .clock", "#bottom .clock")}
        for name, box in boxes.items():
            assert box is not None, name
            assert box["x"] >= 0, name
            assert box["x"] + box["width"] <= width, name
            assert box["y"] >= 0, name
            assert box["y"] + box["height"] <= height, name
        board = boxes["#board"]
        assert board is not None
        assert board["width"] == pytest.approx(board["height"], abs=1)
        assert board["width"] >= share * min(width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if touch:
            assert page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("path", ["", "/analysis"])
def test_touch_targets_of_the_lobby_and_the_analysis(browser: Browser, fake: FakeLichess, path: str) -> None:
    game_id = play(fake, "e2e4", "e7e5")
    fake.player("Bobby", game_id).resign()
    with watched_page(browser, viewport={"width": 844, "height": 390}, **TOUCH) as page:
        page.goto(f"{fake.url}/{game_id}{path}" if path else fake.url)
        page.locator("#moves .move" if path else "#opponent [value='random']").first.wait_for(state="attached")
        assert page.evaluate(SMALL_TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 844


@pytest.mark.parametrize("screen", SCREENS)
def test_opponents_stand_side_by_side(browser: Browser, fake: FakeLichess, screen: str) -> None:
    width, height, _ = SCREENS[screen]
    with watched_page(browser, viewport={"width": width, "height": height}, **TOUCH) as page:
        page.goto(fake.url)
        page.locator("#opponent [value='random']").wait_for()
        first, second = (page.locator(".opponent").nth(number).bounding_box() for number in (0, 1))
        assert first is not None
        assert second is not None
        assert second["y"] == first["y"]
        assert second["x"] >= first["x"] + first["width"]
        assert page.evaluate(SMALL_TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def pixels(page: Page, square: str) -> list[tuple[int, int, int]]:
    """The pixels of a square as they are seen."""
    image = pytest.importorskip("PIL.Image", reason="needs Pillow")
    shot = page.locator(f"#board [data-square={square}]").screenshot(animations="disabled")
    data = image.open(io.BytesIO(shot)).convert("RGB").tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


def luminance(pixel: tuple[int, int, int]) -> float:
    """The relative luminance of the WCAG."""
    shares = [one / 255 for one in pixel]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """The contrast ratio of the WCAG, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("board", sorted(BOARDS))
def test_every_mark_stands_out_from_light_and_dark_squares(browser: Browser, fake: FakeLichess, board: str) -> None:
    with watched_page(browser) as page:
        table = BoardPage(page, fake.url)
        table.open_game(play(fake))
        page.evaluate("name => { document.documentElement.dataset.board = name; }", board)
        page.evaluate("document.documentElement.dataset.coordinates = 'hidden'")
        for square in ("e4", "e5"):
            plain = pixels(page, square)
            for mark in MARKS:
                page.evaluate(CHANGE_MARKS, [square, mark.split(), True])
                seen = pixels(page, square)
                page.evaluate(CHANGE_MARKS, [square, mark.split(), False])
                share = sum(contrast(old, new) >= 3 for old, new in zip(plain, seen, strict=True)) / len(plain)
                assert share >= LEAST_SHARE, f"{mark} on {square} of {board}"
