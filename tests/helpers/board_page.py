"""Sitting at the page as a person does: choosing, clicking squares, dragging, reading what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess
import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.browser import watched_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

GAME_ADDRESS = re.compile(r"/[A-Za-z0-9]{8}$")


def choose_opponent(page: Page, opponent: str) -> None:
    """Choose the card of an opponent in the lobby."""
    page.check(f"#opponent [value='{opponent}']")


class BoardPage:
    """A page of the fake Lichess with a person before it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def challenge(
        self, opponent: str, *, color: str = "white", variant: str = "standard", clock: str = "10+0", fen: str = ""
    ) -> str:
        """Challenge from the lobby and wait until the game is there; gives its id."""
        page = self.page
        page.goto(self.url)
        choose_opponent(page, opponent)
        page.select_option("#variant", variant)
        if fen:
            page.fill("#fen", fen)
        page.get_by_role("button", name=clock, exact=True).click()
        page.locator(f"input[name=color][value={color}]").check(force=True)
        page.click("#send")
        page.wait_for_url(GAME_ADDRESS)
        page.locator("#actions button").first.wait_for()
        return self.game_id

    def open_game(self, game_id: str) -> None:
        """Open a game's page and wait until the position is there."""
        self.page.goto(f"{self.url}/{game_id}")
        self.page.locator(".square img").first.wait_for()

    @property
    def game_id(self) -> str:
        """The game that is shown."""
        return self.page.url.rsplit("/", 1)[1]

    def square(self, name: str) -> Locator:
        """A square of the board."""
        return self.page.locator(f"[data-square={name}]")

    def click_move(self, uci: str) -> None:
        """Two clicks, and the choice of a piece where one is asked for."""
        self.square(uci[:2]).click()
        self.square(uci[2:4]).click()
        self._promote(uci)

    def _promote(self, uci: str) -> None:
        if len(uci) > 4:
            name = chess.piece_name(chess.PIECE_SYMBOLS.index(uci[4])).capitalize()
            self.page.get_by_role("button", name=name, exact=True).click()

    def drag_move(self, uci: str) -> None:
        """Take the piece with the mouse and drop it."""
        start, end = (self.centre(name) for name in (uci[:2], uci[2:4]))
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()
        self._promote(uci)

    def centre(self, name: str) -> tuple[float, float]:
        """Where a square is on the page."""
        box = self.square(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def wait_for_plies(self, plies: int) -> None:
        """Until the list shows so many moves."""
        self.page.locator(f"#moves button[data-ply='{plies}']").wait_for()

    def moves(self) -> list[str]:
        """The moves as the list shows them."""
        return self.page.locator("#moves button").all_inner_texts()

    def message(self, text: str) -> None:
        """Wait for words in the line of messages."""
        self.page.locator("#message").filter(has_text=text).wait_for()

    def piece_on(self, name: str) -> str:
        """What a screen reader says of a square."""
        return self.square(name).get_attribute("aria-label") or ""


@pytest.fixture(name="table")
def own_table(browser: Browser, fake: FakeLichess) -> Iterator[BoardPage]:
    """The page before a person, who is the account Alice."""
    with watched_page(browser) as page:
        yield BoardPage(page, fake.url)
