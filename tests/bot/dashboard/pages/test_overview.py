"""What the page says, and that no text from outside becomes part of its markup."""

from __future__ import annotations

from html.parser import HTMLParser

from bot.dashboard.games import Side
from bot.dashboard.health import Health
from bot.dashboard.last_error import LoggedError
from bot.dashboard.pages.overview import render
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
    read, harmless = Reader(page), Reader(render(picture(games=(game(),), waiting=(Waiting("Alice", "3+2"),))))
    assert read.tags.count("script") == harmless.tags.count("script") == 2
    assert read.tags.count("img") == harmless.tags.count("img") == 2
    assert "onerror" not in read.attributes
    assert read.text.count(HOSTILE) >= 12


def test_a_game_is_shown_from_our_side() -> None:
    page = render(picture(games=(game(our_color="black", last_move="1. e4", last_uci="e2e4", ply=1),)))
    places = [page.index(words) for words in ('name">BOT me', 'src="/board/', 'name">Alice')]
    assert places == sorted(places)
    assert "1. e4" in page
    assert '<time data-ms="65000" data-running="yes">1:05</time>' in page


def test_what_is_missing_is_said() -> None:
    page = render(picture(results=None, stream_age_s=None))
    for words in ("No game is running.", "The store cannot be read.", "None in force.", "not open yet"):
        assert words in page


def test_a_pause_is_said() -> None:
    assert "paused" in Reader(render(picture(paused=True))).text
    assert "paused" not in Reader(render(picture())).text


def test_the_age_of_the_figures_is_told_for_the_clocks() -> None:
    assert 'data-age="1500"' in render(picture(taken_s=100.0), now_s=101.5)
    assert 'data-age="0"' in render(picture(taken_s=100.0), now_s=99.0)


def test_ratings_are_told_with_their_change() -> None:
    text = Reader(render(picture(ratings={"blitz": ((1.0, 2000), (2.0, 2012)), "rapid": ((1.0, 1900),)}))).text
    for words in ("blitz", "2012", "+12", "rapid", "1900", "±0"):
        assert words in text, words


def test_the_queue_names_who_waits_and_the_health_its_reasons() -> None:
    unwell = Health(("the event stream is silent",), ready=False)
    text = Reader(render(picture(waiting=(Waiting("Alice", "3+2 standard rated"),), health=unwell))).text
    for words in ("Alice", "3+2 standard rated", "the event stream is silent"):
        assert words in text, words


def test_no_ratings_and_a_store_that_cannot_be_read_are_told_apart() -> None:
    assert "No game with a rating in 30 days." in render(picture(recent=()))
    unreadable = render(picture(recent=None))
    assert "No game with a rating" not in unreadable
    assert "The store cannot be read." in unreadable


def test_engine_processes_that_failed_are_counted_where_there_were_any() -> None:
    replaced = render(picture(engines=(EntrySnapshot("engine88", 2, 1, 1, 0, 3, (1, 2)),)))
    assert "1 of 2 slots, 2 processes, 3 replaced" in replaced
    assert "replaced" not in render(picture())
