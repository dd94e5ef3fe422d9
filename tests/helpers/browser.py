"""A real browser, headless: Debian's Chromium driven by Playwright. Tests skip, with the reason, where it is absent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
]
PATIENCE_MS = 60_000


def browser_program() -> str | None:
    """Where Chromium is; None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; skips the test where Chromium or Playwright is missing."""
    program = browser_program()
    if program is None:
        pytest.skip("needs Chromium (Debian package chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS, headless=True, timeout=PATIENCE_MS)
        yield browser
        browser.close()


@contextmanager
def watched_page(browser: Browser, **context: Any) -> Iterator[Page]:
    """A page of its own; at the end nothing may have been written to its console as an error."""
    window = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | context))
    window.set_default_timeout(PATIENCE_MS)
    page = window.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    window.close()
    assert errors == []


@pytest.fixture(scope="module", name="browser")
def shared_browser() -> Iterator[Browser]:
    """One browser for the tests of a file."""
    with chromium() as running:
        yield running
