"""Every page as a checker sees it: accessible, small, and from this server alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.axe import axe_source, grave_violations
from tests.helpers.browser import shared_browser, watched_page
from tests.helpers.engines import scoring_engine
from tests.helpers.fake import make_fake

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["make_fake", "shared_browser"]  # fixtures
pytestmark = pytest.mark.slow
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce", "color_scheme": "dark"}
LOADED = """[...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
MOST_BYTES = 200_000
Pages = dict[str, tuple[str, str]]


@pytest.fixture
def pages(make_fake: Callable[..., FakeLichess]) -> Pages:
    """Address of each page, and what is there once it is complete."""
    fake = make_fake(analysis_engine=scoring_engine())
    mine = fake.start_game("Alice", "Bobby", clock=(300, 3))
    others = fake.start_game("OtherBot", "Bobby", clock=(300, 3))
    over = fake.start_game("Alice", "Bobby", clock=(300, 3))
    for game_id, white in ((mine, "Alice"), (others, "OtherBot"), (over, "Alice")):
        fake.player(white, game_id).move("e2e4")
        fake.player("Bobby", game_id).wait_for_turn().move("d7d5")
        fake.player(white, game_id).move("e4d5")
    fake.player("Bobby", over).resign()
    return {
        "lobby": (fake.url, "#finished a"),
        "playing": (f"{fake.url}/{mine}", "#actions button"),
        "watching": (f"{fake.url}/{others}", ".square img"),
        "over": (f"{fake.url}/{over}", "#actions a"),
        "analysis": (f"{fake.url}/{over}/analysis", "#chart-card[data-done]"),
    }


@pytest.mark.parametrize("context", [DESK, PHONE], ids=["desk-light", "phone-dark"])
def test_no_page_has_a_grave_fault_of_accessibility(browser: Browser, pages: Pages, context: dict[str, Any]) -> None:
    source = axe_source()
    with watched_page(browser, **context) as page:
        found = {}
        for name, (address, complete) in pages.items():
            page.goto(address)
            page.locator(complete).first.wait_for(state="attached")
            found[name] = grave_violations(page, source)
        page.click("#settings")
        found["settings"] = grave_violations(page, source)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_every_page_is_small_and_from_this_server_alone(browser: Browser, pages: Pages) -> None:
    with watched_page(browser, **DESK) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for name, (address, complete) in pages.items():
            page.goto(address)
            page.locator(complete).first.wait_for(state="attached")
            assert 10_000 < page.evaluate(LOADED) < MOST_BYTES, name
        home = pages["lobby"][0]
        assert [url for url in asked if not url.startswith(home)] == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(browser: Browser, pages: Pages, width: int) -> None:
    with watched_page(browser, viewport={"width": width, "height": 800}) as page:
        for name, (address, complete) in pages.items():
            page.goto(address)
            page.locator(complete).first.wait_for(state="attached")
            assert page.locator("html").evaluate("html => html.scrollWidth") <= width, name
