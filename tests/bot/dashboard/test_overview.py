"""The page of the running bot."""

from __future__ import annotations

from html.parser import HTMLParser

import chess
import pytest
from chess.engine import Cp, PovScore

from bot.dashboard.games import SearchedMove, Side
from bot.dashboard.layout import count_text, duration_text
from bot.dashboard.log_tail import LoggedError, LogLine
from bot.dashboard.overview import game_card, log_lines, render
from bot.dashboard.picture import Health, Waiting
from bot.engine_pool.values import EntrySnapshot
from bot.events.game import Outcome
from tests.bot.dashboard.pictures import game, picture, words


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (119.0, "119 s"), (120.0, "2 min"), (7199.0, "120 min"), (7200.0, "2 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1.00 k"),
        (12_340, "12.3 k"),
        (640_000, "640 k"),
        (1_250_000, "1.25 M"),
        (2_500_000_000, "2.50 G"),
    ],
)
def test_counts_have_three_digits(count: int, text: str) -> None:
    assert count_text(count) == text


def ours(score_cp: int) -> PovScore:
    """A score of ours, who are White."""
    return PovScore(Cp(score_cp), chess.WHITE)


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
    assert read.tags.count("script") == harmless.tags.count("script") == 3
    assert read.tags.count("img") == harmless.tags.count("img") == 1
    assert "onerror" not in read.attributes
    assert read.text.count(HOSTILE) >= 12


def test_the_whole_page_of_a_busy_bot() -> None:
    page = render(
        picture(
            health=Health(("no engine answers", "the event stream is silent"), ready=False),
            last_error=LoggedError("engine_died", "signal 9", 1_700_000_000.0),
            uses={"playing": 3, "parked": 2, "accepted": 0, "outgoing": 0},
            free_slots=-1,
            waiting=(Waiting("Carl", "3+2 standard rated"),),
            limits={"challenge": 150.0},
            engines=(EntrySnapshot("engine88", 4, 2, 1, 0, 0, (1, 2, 3)),),
            results={Outcome.WIN: 3, Outcome.DRAW: 2, Outcome.LOSS: 1},
            ratings={"blitz": ((1.0, 2000), (2.0, 2013), (3.0, 1988))},
            stream_age_s=130.0,
            stream_openings=5,
            memory={"bot": 150 * 2**20},
            paused=True,
        ),
        now_s=0.0,
    )
    start, end = page.index("<main"), page.index("</main>")
    assert words(page[start:end]) == (
        "me unwell paused http://server no engine answers; the event stream is silent No game is running."
        " Today (UTC) won 3 drawn 2 lost 1 Rating, 30 days blitz 1988 -12"
        " Games and queue playing 3 free slots 0 correspondence, waiting 2 challenges waiting 1 Carl 3+2 standard rated"
        " Rate limits challenge 2 min left"
        " Health and engines state no engine answers; the event stream is silent"
        " event stream last line 2 min ago stream openings 5 last error 14 Nov 22:13 UTC: engine_died signal 9"
        " engine88 2 of 4 slots, 3 processes memory, bot 150 MiB"
        " Finished games None in 30 days. Log Nothing yet."
    )
    assert 'class="badge unwell"' in page
    assert 'aria-label="Results of the day: 3 won, 2 drawn, 1 lost"' in page
    assert 'aria-label="blitz rating over 3 games: now 1988, -12"' in page


def test_the_whole_page_of_a_quiet_bot_that_has_just_begun() -> None:
    page = render(picture(account="", results={}, stream_age_s=None, stream_openings=0), now_s=0.0)
    assert words(page) == (
        "bot88 · bot88 Skip to the content bot88 Games Theme bot88 well http://server No game is running."
        " Today (UTC) won 0 drawn 0 lost 0 Rating, 30 days No game with a rating in 30 days."
        " Games and queue playing 0 free slots 2 challenges waiting 0 Rate limits None at present."
        " Health and engines state well event stream not open yet stream openings 0 engine88 0 of 2 slots, 1 processes"
        " Finished games None in 30 days. Log Nothing yet. Connection lost; trying again…"
    )
    assert 'class="badge well"' in page


def test_the_navigation_marks_the_page_and_the_page_renews_itself() -> None:
    page = render(picture())
    assert page.count('aria-current="page"') == 1
    assert 'href="/" aria-current="page"' in page
    assert 'src="/static/live.js" type="module"' in page
    assert "<title>me · bot88</title>" in page


def test_the_five_most_played_ratings_are_shown() -> None:
    ratings = {f"perf{number}": ((1.0, 1500),) for number in range(7)}
    shown = words(render(picture(ratings=ratings)))
    assert [name for name in ratings if name in shown] == [f"perf{number}" for number in range(5)]


def test_a_game_is_shown_from_our_side() -> None:
    page = render(picture(games=(game(our_color="black", last_move="1. e4", last_uci="e2e4", ply=1),)))
    places = [page.index(said) for said in ('name">BOT me', "<chess-board", 'name">Alice')]
    assert places == sorted(places)
    assert "1. e4" in page
    assert '<time data-ms="65000" data-running="yes">1:05</time>' in page


def test_the_age_of_the_figures_is_told_for_the_clocks() -> None:
    assert 'data-age="1500"' in render(picture(taken_s=100.0), now_s=101.5)
    assert 'data-age="0"' in render(picture(taken_s=100.0), now_s=99.0)


def test_no_ratings_and_a_store_that_cannot_be_read_are_told_apart() -> None:
    assert "No game with a rating in 30 days." in render(picture(recent=()))
    unreadable = render(picture(recent=None))
    assert "No game with a rating" not in unreadable
    assert "The store cannot be read." in unreadable


def test_engine_processes_that_failed_are_counted_where_there_were_any() -> None:
    replaced = render(picture(engines=(EntrySnapshot("engine88", 2, 1, 1, 0, 3, (1, 2)),)))
    assert "1 of 2 slots, 2 processes, 3 replaced" in replaced
    assert "replaced" not in render(picture())


SEARCH = SearchedMove(3, None, 14, 1_250_000, 640_000, 1950.0, variation="1... e5 2. Nf3")


def test_a_card_shows_both_players_the_last_move_and_the_last_search() -> None:
    scores = ((2, ours(90)), (4, ours(34)))
    moved = {"last_move": "2... Nc6", "last_uci": "b8c6", "ply": 4, "score": ours(34)}
    card = game_card(game(search=SEARCH, scores=scores, **moved))
    assert words(card) == (
        "Alice 1700 ⇅ 1:00 BOT me 2000 1:05 2... Nc6 +0.34 2+0 · blitz · rated +10 +3 0 −3 −10"
        " depth 14 1.25 M nodes 640 k nodes/s 1.9 s 1... e5 2. Nf3"
    )
    for label in (
        'aria-label="BOT me against Alice"',
        'aria-label="Evaluation of game abcdefgh from our side, now +0.34"',
        'aria-label="Position of game abcdefgh, last move 2... Nc6"',
        'data-ms="65000" data-running="yes"',
    ):
        assert label in card, label
    assert card.count("data-running") == 1, "only one clock runs"


def test_a_card_without_clock_rating_or_score_has_no_empty_words() -> None:
    sides = {"white": Side("me", None, None, False), "black": Side("Alice", None, None, False)}
    card = game_card(game(variant="atomic", rated=False, score=None, **sides))
    assert words(card) == "Alice ⇅ me – – 2+0 · blitz · atomic · casual +10 +3 0 −3 −10 No search yet"
    assert "<time" not in card
    assert 'no move yet"' in card
    assert "from our side, nothing searched yet" in card


def test_the_chart_of_a_long_game_is_as_wide_as_the_game() -> None:
    assert 'data-plies="40"' in game_card(game(ply=12))
    assert 'data-plies="77"' in game_card(game(ply=77))


def test_a_move_from_a_book_names_the_book() -> None:
    card = game_card(game(search=SearchedMove(3, time_ms=2.0, source="book")))
    assert "from book" in card
    assert "depth" not in card


def test_what_an_engine_does_not_tell_is_left_out() -> None:
    assert "nodes" not in game_card(game(search=SearchedMove(3, depth=9, time_ms=500.0)))


def test_moves_are_numbered_from_the_first_position() -> None:
    card = game_card(game(san=("e4", "e5", "Nf3"), first_ply=0))
    assert "<b>1.</b>&nbsp;<span>e4</span> <span>e5</span> <b>2.</b>&nbsp;<span>Nf3</span>" in card
    card = game_card(game(san=("Kd7", "Kd2"), first_ply=79))
    assert "<b>40...</b>&nbsp;<span>Kd7</span> <b>41.</b>&nbsp;<span>Kd2</span>" in card


def test_the_log_is_newest_first_with_its_levels() -> None:
    lines = [LogLine(1, 0.0, "info", "ready", "", "a=1"), LogLine(2, 61.0, "warning", "late", "abcdefgh", "")]
    card = log_lines(lines)
    assert card.index('id="log-2"') < card.index('id="log-1"')
    assert '<li id="log-2" class="level-warning"><time>00:01:01</time> <b class="level">warning</b>' in card
    assert ">info<" not in card
    assert words(card) == "Log 00:01:01 warning late abcdefgh 00:00:00 ready a=1"


def test_a_log_without_lines_says_so() -> None:
    assert "Nothing yet" in log_lines(())
