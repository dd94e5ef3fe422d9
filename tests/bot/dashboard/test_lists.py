"""Lists of games and of lines of the log."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from bot.archive.game_record import GameRecord
from bot.dashboard.lists import GAMES_PER_PAGE, UNREADABLE, games_page, log_lines, recent_games
from bot.dashboard.log_tail import LogLine
from bot.events.outcome import Outcome
from tests.bot.dashboard.pictures import words
from tests.helpers.finished_games import record

HOSTILE = "<img src=x onerror=y>"


def played(game_id: str = "abcdefgh", **fields: Any) -> GameRecord:
    """A game that we won."""
    plain: dict[str, Any] = {"opponent": "Alice", "opponent_rating": 1700, "my_rating": 2000, "plies": 41}
    return record(game_id, **({"ended_s": 1_700_000_000.0} | plain | fields))


class Links(HTMLParser):
    """Collects tags and addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name == "href"]


def test_a_game_leads_to_its_replay() -> None:
    card = recent_games([played()])
    assert "/game/abcdefgh" in Links(card).addresses
    assert words(card) == (
        "Finished games Ended (UTC) Opponent Game Result Moves"
        " 14 Nov 22:13 Alice 1700 blitz, rated, white won 21 All games of the last 30 days"
    )
    assert 'class="win"' in card
    other = played(opponent_rating=None, variant="atomic", rated=False, outcome=None, status="aborted", plies=0)
    assert "Alice atomic blitz, casual, white aborted 0" in words(recent_games([other]))
    assert 'class="none">aborted<' in recent_games([other])


@pytest.mark.parametrize(
    ("outcome", "status", "word"),
    [(Outcome.LOSS, "mate", "lost"), (Outcome.DRAW, "draw", "drawn"), (None, "aborted", "aborted")],
)
def test_results_in_words(outcome: Outcome | None, status: str, word: str) -> None:
    assert f">{word}<" in recent_games([played(outcome=outcome, status=status)])


@pytest.mark.parametrize(("games", "said"), [((), "None in 30 days."), (None, UNREADABLE)])
def test_what_is_missing_is_said(games: tuple[GameRecord, ...] | None, said: str) -> None:
    assert said in recent_games(games)


def test_the_page_is_turned() -> None:
    games = [played(f"game{number:04}") for number in range(2 * GAMES_PER_PAGE + 1)]
    seen = {page: Links(games_page(games, page)).addresses for page in (1, 2, 3)}
    assert [sum(address.startswith("/game/") for address in found) for found in seen.values()] == [50, 50, 1]
    assert "/games?page=2" in seen[1]
    assert {"/games?page=1", "/games?page=3"} <= set(seen[2])
    assert "/games?page=4" not in seen[3]
    assert Links(games_page(games, 99)).addresses == seen[3]
    assert Links(games_page(games, 0)).addresses == seen[1]
    assert "101 games in 30 days, page 2 of 3" in games_page(games, 2)
    assert words(games_page(games, 2).partition('class="turn"')[2]).startswith("> Newer Older Connection")
    only = games_page(games[:GAMES_PER_PAGE], 1)
    assert "50 games in 30 days<" in only
    assert 'class="turn"' not in only


def test_the_newest_games_come_first_and_none_is_left_out_at_a_turn() -> None:
    games = [played(f"game{number:04}") for number in range(2 * GAMES_PER_PAGE + 1)]
    addresses = [a for page in (1, 2, 3) for a in Links(games_page(games, page)).addresses if a.startswith("/game/")]
    assert addresses == [f"/game/{game.game_id}" for game in games]


def test_the_navigation_marks_the_list() -> None:
    assert 'href="/games" aria-current="page"' in games_page([played()], 1)
    assert games_page([played()], 1).count('aria-current="page"') == 1


@pytest.mark.parametrize("games", [(), None])
def test_a_page_without_games_says_so(games: tuple[GameRecord, ...] | None) -> None:
    page = games_page(games, 1)
    assert ("No game has ended" if games is not None else UNREADABLE) in page
    assert "0 games in 30 days<" in page


def test_hostile_texts_stay_texts() -> None:
    game = played(HOSTILE, opponent=HOSTILE, variant=HOSTILE, speed=HOSTILE, status=HOSTILE, outcome=None)
    line = LogLine(1, 0.0, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    assert "img" not in Links(recent_games([game]) + log_lines([line])).tags


def test_the_log_is_newest_first_with_its_levels() -> None:
    lines = [LogLine(1, 0.0, "info", "ready", "", "a=1"), LogLine(2, 61.0, "warning", "late", "abcdefgh", "")]
    card = log_lines(lines)
    assert card.index('id="log-2"') < card.index('id="log-1"')
    assert '<li id="log-2" class="level-warning"><time>00:01:01</time> <b class="level">warning</b>' in card
    assert ">info<" not in card
    assert words(card) == "Log 00:01:01 warning late abcdefgh 00:00:00 ready a=1"


def test_a_log_without_lines_says_so() -> None:
    assert "Nothing yet" in log_lines(())
