"""What the page says, and that no text from outside becomes part of its markup."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from bot.dashboard.games import Side
from bot.dashboard.health import Health
from bot.dashboard.last_error import LoggedError
from bot.dashboard.page import board_address, clock_text, duration_text, render, score_text
from bot.dashboard.picture import Waiting
from bot.engine_pool import EntrySnapshot
from tests.bot.dashboard.pictures import game, picture

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;"


class Reader(HTMLParser):
    """Collects tags, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_hostile_text_stays_text_wherever_it_turns_up() -> None:
    hostile = Side(HOSTILE, 1, 1000, False)
    page = render(
        picture(
            account=HOSTILE,
            server_url=HOSTILE,
            health=Health((HOSTILE,), ready=False),
            last_error=LoggedError(HOSTILE, HOSTILE, 0.0),
            games=(game(white=hostile, black=hostile, speed=HOSTILE, variant=HOSTILE, url=HOSTILE, game_id=HOSTILE),),
            waiting=(Waiting(HOSTILE, HOSTILE),),
            limits={HOSTILE: 9.0},
            engines=(EntrySnapshot(HOSTILE, 1, 0, 0, 0, 0, ()),),
        )
    )
    read = Reader(page)
    assert read.tags.count("script") == 1
    assert read.tags.count("img") == 1
    assert "onerror" not in read.attributes
    assert read.text.count(HOSTILE) >= 12


def test_a_game_is_shown_from_our_side() -> None:
    page = render(picture(games=(game(our_color="black", last_move="1. e4", last_uci="e2e4", ply=1),)))
    assert page.index("BOT me") < page.index("<img") < page.index("Alice")
    assert "1. e4" in page
    assert '<time data-ms="65000" data-running="yes">1:05</time>' in page


def test_what_is_missing_is_said() -> None:
    page = render(picture(results=None, stream_age_s=None))
    for words in ("No game is running.", "The store cannot be read.", "None in force.", "not open yet"):
        assert words in page


def test_another_position_has_another_address() -> None:
    addresses = {board_address(game(ply=1, last_uci=uci)) for uci in ("e2e4", "d2d4")}
    assert len(addresses | {board_address(game())}) == 3


@pytest.mark.parametrize(("ms", "text"), [(0, "0:00"), (65_999, "1:05"), (3_600_000, "1:00:00")])
def test_clocks(ms: int, text: str) -> None:
    assert clock_text(ms) == text


@pytest.mark.parametrize(("score", "text"), [(25, "+0.25"), (-130, "-1.30"), (31_997, "#3"), (-31_998, "#-2")])
def test_scores(score: int, text: str) -> None:
    assert score_text(score) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (119.0, "119 s"), (120.0, "2 min"), (7200.0, "2 h")])
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
