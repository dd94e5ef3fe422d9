"""The dashboard in a real browser: it renews itself, fits a phone, and loads nothing from outside."""

from __future__ import annotations

from typing import Any

import pytest

from bot.app.service import Service
from bot.fake_lichess import FakeLichess
from tests.bot.app.test_service import settings_for
from tests.helpers.browser import chromium, watched_page
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake
from tests.helpers.processes import wait_until

__all__ = ["fake"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


@pytest.mark.slow
@pytest.mark.parametrize("context", [{}, PHONE], ids=["desktop", "phone"])
def test_the_page_follows_a_game(fake: FakeLichess, context: dict[str, Any]) -> None:
    service = Service(settings_for(fake, tiny_entry(slots=2), dashboard={"port": 0}))
    try:
        service.start()
        assert service.dashboard is not None
        with chromium() as browser, watched_page(browser, **context) as page:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.goto(service.dashboard.url)
            page.wait_for_selector("text=No game is running.")
            game_id = fake.start_game("Alice", "bot88", clock=(600, 0))
            fake.player("Alice", game_id).move("e2e4")
            page.wait_for_selector(".game img")
            page.evaluate("document.querySelector('.game').mark = 'the same element'")
            page.focus(".moves")
            assert wait_until(lambda: page.inner_text(".facts .last").startswith("1..."))
            assert page.evaluate("document.querySelector('.game').mark") == "the same element"
            assert page.evaluate("document.activeElement.className") == "moves"
            page.wait_for_selector("svg.evaluation path.line", state="attached")
            assert wait_until(lambda: page.evaluate("document.querySelector('.game img').naturalWidth") > 0)
            clock = page.inner_text("time[data-running]")
            assert wait_until(lambda: page.inner_text("time[data-running]") != clock)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert ground == ("rgb(27, 30, 33)" if context else "rgb(244, 242, 236)")
            assert [url for url in asked if not url.startswith(service.dashboard.url)] == []
    finally:
        service.close()
