"""A person plays an arena in a real browser: no aborting, and half the time for a point more."""

from __future__ import annotations

import re

import pytest
import requests

from bot.fake_lichess import FakeLichess, Script
from tests.helpers.board_page import BoardPage, own_table
from tests.helpers.browser import shared_browser
from tests.helpers.fake import fake

__all__ = ["fake", "own_table", "shared_browser"]  # fixtures
pytestmark = pytest.mark.slow
FORM = {"clockTime": 10, "clockIncrement": 5, "minutes": 20, "waitMinutes": 0}


def test_going_berserk_before_the_first_move(table: BoardPage, fake: FakeLichess) -> None:
    fake.add_account("Patient", script=Script(then="random"))
    token = {"Authorization": f"Bearer {fake.token('Alice')}"}
    arena = requests.post(f"{fake.url}/api/tournament", data=FORM, headers=token, timeout=60).json()["id"]
    for name in ("Alice", "Patient"):
        fake.join_arena(name, arena)
    (game,) = fake.wait_for(fake.games)
    table.open_game(game.id)
    page = table.page
    for name in ("abort", "takeback", "give-time"):
        assert page.locator(f"#{name}").count() == 0, "not in an arena"
    page.get_by_role("button", name="Berserk").click()
    page.locator("#berserk").wait_for(state="detached")
    page.locator("#bottom .clock").filter(has_text=re.compile(r"^[45]:\d\d$")).wait_for()
    assert page.locator("#top .clock").inner_text().startswith(("10:", "9:"))
    page.click("#resign")
    page.click("#resign")
    table.message("Resignation: you lose")
    stats = requests.get(f"{fake.url}/api/tournament/{arena}", timeout=60).json()["stats"]
    assert stats["berserks"] == 1
