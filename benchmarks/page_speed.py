"""How soon the fake Lichess's pages show their first board, and how much they load, in headless Chromium.

    python -m benchmarks.page_speed [--runs 5]

Each run opens each page in a window of its own, with nothing in the cache. The time is from the start of the navigation
to the first frame after the pieces are there, by the page's own clock; the weight is the body of everything loaded.
Needs Chromium and Playwright; wall times need an idle machine.
"""

from __future__ import annotations

import argparse
import statistics
from typing import TYPE_CHECKING

from bot.fake_lichess import FakeConfig, FakeLichess
from tests.helpers.browser import FLAGS, browser_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST_MS, MOST_BYTES = 1000, 200_000
WATCH = """new MutationObserver((_, observer) => {
  const picture = document.querySelector(".square img, #running img");
  if (!picture) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    document.documentElement.dataset.firstBoard = performance.now();
  }));
}).observe(document, { childList: true, subtree: true });"""
LOADED = """[...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""


def measure(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds until the first board, and bytes loaded."""
    window = browser.new_context(viewport={"width": 1280, "height": 800})
    page = window.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    page.locator("html[data-first-board]").wait_for(state="attached")
    shown = float(page.locator("html").get_attribute("data-first-board") or "nan")
    loaded: int = page.evaluate(LOADED)
    window.close()
    return shown, loaded


def prepare(fake: FakeLichess) -> dict[str, str]:
    """A running and a finished game; gives the address of each page."""
    running, over = (fake.start_game("Alice", "Bobby", clock=(300, 3)) for _ in range(2))
    for game_id in (running, over):
        for ply, uci in enumerate(("e2e4", "e7e5", "g1f3")):
            fake.player(("Alice", "Bobby")[ply % 2], game_id).move(uci)
    fake.player("Bobby", over).resign()
    return {"lobby": fake.url, "game": f"{fake.url}/{running}", "analysis": f"{fake.url}/{over}/analysis"}


def measure_all(runs: int) -> dict[str, tuple[float, int]]:
    """Return median milliseconds and bytes of each page."""
    from playwright.sync_api import sync_playwright

    pages = {}
    with FakeLichess(FakeConfig(analysis_engine="")) as fake, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_program(), args=FLAGS)
        for name, address in prepare(fake).items():
            found = [measure(browser, address) for _ in range(runs)]
            pages[name] = statistics.median(one[0] for one in found), max(one[1] for one in found)
        browser.close()
    return pages


def main() -> None:
    """Measure every page and say what is too slow or too large."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="windows for each page; the median counts (default 5)")
    failed = False
    for name, (shown, loaded) in measure_all(parser.parse_args().runs).items():
        slow = shown >= MOST_MS or loaded >= MOST_BYTES
        failed = failed or slow
        print(f"{name:9} first board {shown:5.0f} ms, loaded {loaded / 1000:5.1f} kB{'  TOO MUCH' if slow else ''}")
    if failed:
        raise SystemExit(f"a page takes {MOST_MS} ms or {MOST_BYTES // 1000} kB, or more")


if __name__ == "__main__":
    main()
