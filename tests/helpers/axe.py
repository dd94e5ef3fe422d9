"""axe-core, the accessibility checker, from npm: `npm install --no-save axe-core` in the repository, or $AXE_CORE."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
GRAVE = ("serious", "critical")
RUN = """axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>
  ({ id, impact, html: nodes.map(({ html }) => html.slice(0, 200)) })))"""


def axe_source() -> str:
    """The checker's script; skips the test where it is not installed."""
    path = Path(os.environ.get("AXE_CORE", ROOT / "node_modules" / "axe-core" / "axe.min.js"))
    if not path.is_file():
        pytest.skip("needs axe-core: npm install --no-save axe-core")
    return path.read_text(encoding="utf-8")


def grave_violations(page: Page, source: str) -> list[dict[str, object]]:
    """What the checker calls serious or critical on the page as it stands."""
    page.evaluate(source)
    found: list[dict[str, object]] = page.evaluate(RUN)
    return [violation for violation in found if violation["impact"] in GRAVE]
