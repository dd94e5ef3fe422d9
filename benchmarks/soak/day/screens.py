"""Pictures of the dashboard in a real browser, and what its page shows there after a while."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.helpers.browser import FLAGS, browser_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WATCH_MS = 6000
PATIENCE_MS = 20_000
PLACES = (("desk", "/", 1280, False), ("phone", "/", 390, True), ("games", "/games", 1280, False))
SHOWN = """[...document.querySelectorAll("article.game")].map(card => card.id.slice("game-".length))"""


@dataclass(frozen=True)
class Shot:
    """What the pages looked like. `games`: those shown after some seconds of renewal; `errors`: of the console."""

    name: str
    files: tuple[Path, ...]
    games: tuple[str, ...]
    errors: tuple[str, ...]


def browser_is_here() -> bool:
    """Whether Chromium and Playwright are installed."""
    try:
        import playwright.sync_api  # noqa: F401 - only whether it is there
    except ImportError:
        return False
    return browser_program() is not None


def take(url: str, folder: Path, name: str) -> Shot:
    """Look at the dashboard on a desk, on a phone, and at the list of games; raises playwright's errors."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_program(), args=FLAGS, headless=True)
        try:
            return _take(browser, url, folder, name)
        finally:
            browser.close()


def _take(browser: Browser, url: str, folder: Path, name: str) -> Shot:
    errors: list[str] = []
    files: list[Path] = []
    games: list[str] = []
    for place, path, width, dark in PLACES:
        window = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        page = window.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(url + path, wait_until="load")
        if place == "desk":
            page.wait_for_timeout(WATCH_MS)
            games = page.evaluate(SHOWN)
        file = folder / f"{name}-{place}.png"
        page.screenshot(path=str(file), full_page=True)
        files.append(file)
        window.close()
    return Shot(name, tuple(files), tuple(games), tuple(errors))
