"""The pages of finished games: lists, one game, over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import chess
import pytest
import requests
from chess.engine import Cp, Mate, PovScore

from bot.archive.game_record import GameRecord
from bot.archive.pgn import PlayedGame
from bot.archive.review.values import GameReview, ReviewedMove
from bot.dashboard import DashboardServer, Meters, Observer, Sources
from bot.dashboard.finished_games import (
    GAMES_PER_PAGE,
    UNREADABLE,
    game_page,
    games_page,
)
from bot.dashboard.overview import recent_games
from bot.errors import StoreError
from bot.events.game import Outcome
from bot.settings import DashboardSettings
from tests.bot.dashboard.pictures import PLAIN, kept, replay, words
from tests.bot.dashboard.test_overview import Reader
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
        self.moves: list[dict[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name == "href"]
        data = {name.removeprefix("data-"): value or "" for name, value in attrs if name.startswith("data-")}
        self.moves += [data] if "label" in data else []


def moves_of(page: str) -> list[dict[str, str]]:
    """What each link of the list of moves carries."""
    return Links(page).moves


def test_a_game_leads_to_its_replay() -> None:
    card = recent_games([played()])
    assert "/game/abcdefgh" in Links(card).addresses
    assert words(card) == (
        "Finished games Ended (UTC) Opponent Game Opening Result Moves"
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


def shown(game: PlayedGame, ply: int | None = None) -> str:
    """The page of a game."""
    return game_page(game, "http://server", ply)


HOSTILE = '"><img src=x onerror=y>'


def links(page: str) -> list[tuple[str, str]]:
    """Plies and words of the list of moves."""
    sheet = page[page.index('id="moves"') :]
    return re.findall(r'<a href="\?ply=(\d+)"[^>]*>([^<]*)</a>', sheet)


def numbers(page: str) -> list[tuple[str, str]]:
    """Move numbers of the list of moves, each with the sign of a missing move of White."""
    return re.findall(r"<b>(\d+)\.</b>(?:<span>(…)</span>)?", page)


def test_numbers_stand_before_the_moves_of_white_and_before_the_first() -> None:
    game = replay()
    assert numbers(shown(game)) == [("1", ""), ("2", "")]
    black_begins = tuple(
        replace(move, is_white=not move.is_white, number=1 + (index + 1) // 2) for index, move in enumerate(game.moves)
    )
    assert numbers(shown(replay(moves=black_begins))) == [("1", "…"), ("2", ""), ("3", "")]


@pytest.mark.parametrize(("ply", "targets"), [(0, [0, 0, 1, 4]), (2, [0, 1, 3, 4]), (4, [0, 3, 4, 4])])
def test_the_buttons_step_through_the_game(ply: int, targets: list[int]) -> None:
    page = shown(replay(), ply)
    found = [re.search(rf'id="{name}" href="\?ply=(\d+)"', page) for name in ("first", "back", "next", "last")]
    assert [int(match[1]) for match in found if match] == targets


@pytest.mark.parametrize(
    ("ply", "label"), [(None, "2... Qh4#"), (0, "Start"), (1, "1. f3"), (4, "2... Qh4#"), (99, "2... Qh4#")]
)
def test_the_page_begins_at_the_position_asked_for(ply: int | None, label: str) -> None:
    page = shown(replay(), ply)
    assert f'id="now-move">{label}<' in page
    assert page.count('aria-current="true"') == 1


def test_what_is_known_of_a_move_is_told() -> None:
    page = shown(replay(), 2)
    for said in ("+1.60", "depth 9 · 1.5 s · engine88", "2:59", "2:58", "We won: checkmate", "A00 Barnes Opening"):
        assert said in page, said


def test_the_whole_page_in_words() -> None:
    page = shown(replay(), 2)
    start, end = page.index("<main"), page.index("</main>")
    assert words(page[start:end]) == (
        "Alice 1700 – BOT me 2000 We won: checkmate 3+2 · blitz · rated · A00 Barnes Opening · 14 Nov 2023 22:13 UTC"
        " Alice 1700 ⇅ 2:59 BOT me 2000 2:58 « ‹ › » 1... e5 +1.60 depth 9 · 1.5 s · engine88 +10 +3 0 −3 −10"
        " Not reviewed yet: bot88 review adds accuracy and mistakes."
        " Start 1. f3 e5 2. g4 Qh4# Open on Lichess Download PGN Keys: ← → Home End"
    )
    assert 'class="badge win"' in page
    assert 'aria-label="Position after 1... e5"' in page
    assert "Evaluation over the game from our side, 2 scores" in page
    assert 'data-plies="4"' in page
    assert "<title>Alice 1700 – BOT me 2000 · bot88</title>" in page
    assert 'src="/static/replay.js"' in page
    assert 'aria-current="page"' not in page


def test_a_game_of_which_little_is_known() -> None:
    plain = {"outcome": None, "status": "", "opening": "", "eco": "", "headers": {"TimeControl": "-"}}
    bare = tuple(
        replace(move, score=None, depth=None, spent_ms=None, clock_ms=None, source="") for move in replay().moves
    )
    page = shown(replay(**plain, moves=bare))
    start, end = page.index("<main"), page.index("</main>")
    assert words(page[start:end]) == (
        "Alice 1700 – BOT me 2000 No result blitz · rated · 14 Nov 2023 22:13 UTC"
        " Alice 1700 ⇅ BOT me 2000 « ‹ › » 2... Qh4# +10 +3 0 −3 −10"
        " Not reviewed yet: bot88 review adds accuracy and mistakes."
        " Start 1. f3 e5 2. g4 Qh4# Open on Lichess Download PGN Keys: ← → Home End"
    )
    assert 'class="badge none"' in page
    assert "No scores were kept" in page


def test_each_move_carries_what_the_page_shows_of_it() -> None:
    """The script shows a position from these alone, without asking the server."""
    page = shown(replay(), 4)
    sheet = page[page.index('id="moves"') :]
    found = moves_of(page)
    told = [[one[name] for name in ("label", "score", "note", "white", "black", "alt")] for one in found]
    assert told == [
        ["Start", "", "", "3:00", "3:00", "Position at the start"],
        ["1. f3", "", "1.5 s", "2:59", "3:00", "Position after 1. f3"],
        ["1... e5", "+1.60", "depth 9 · 1.5 s · engine88", "2:59", "2:58", "Position after 1... e5"],
        ["2. g4", "", "1.5 s", "2:57", "2:58", "Position after 2. g4"],
        ["2... Qh4#", "+3.20", "depth 9 · 1.5 s · engine88", "2:57", "2:56", "Position after 2... Qh4#"],
    ]
    boards = [json.loads(one["board"]) for one in found]
    assert [(one["last"], one["check"]) for one in boards] == [
        ("", ""),
        ("f2 f3", ""),
        ("e7 e5", ""),
        ("g2 g4", ""),
        ("d8 h4", "e1"),
    ]
    assert {one["side"] for one in boards} == {"black"}
    assert len({one["fen"] for one in boards}) == 5
    assert re.findall(r'<a href="\?ply=(\d+)" class="start"', sheet) == ["0"]
    assert re.findall(r'ply=(\d+)" aria-current="true"', sheet) == ["4"]


def test_we_sit_at_the_bottom() -> None:
    page = shown(replay())
    places = [page.index(said) for said in ('name">Alice', "<chess-board", 'name">BOT me')]
    assert places == sorted(places)
    assert 'side="white"' in shown(replay(color="white"))


def reviewed_move(ply: int, san: str, before: PovScore, after: PovScore, better: tuple[str, ...]) -> ReviewedMove:
    """A move of a review without clocks."""
    number, is_white = (ply + 1) // 2, ply % 2 == 1
    return ReviewedMove(ply, number, is_white, not is_white, san, "opening", before, after, better, None, None)


LEVEL, WORSE, MATE = (PovScore(score, chess.WHITE) for score in (Cp(30), Cp(-60), Mate(-1)))
REVIEWED_MOVES = (
    reviewed_move(1, "f3", LEVEL, WORSE, ("e4", "e5")),
    reviewed_move(2, "e5", WORSE, WORSE, ("e5",)),
    reviewed_move(3, "g4", WORSE, MATE, ("e3", "d5")),
    reviewed_move(4, "Qh4#", MATE, MATE, ("Qh4#",)),
)
REVIEWED = GameReview("abcdefgh", "engine88", "engine88 1.0", 1000, REVIEWED_MOVES)


def test_a_review_adds_accuracy_mistakes_and_the_better_moves() -> None:
    page = game_page(replay(), "http://server", 3, REVIEWED)
    assert words(page[page.index('<table class="review"') : page.index("</table>")]) == (
        "Accuracy Inaccuracies Mistakes Blunders White 41 % 1 0 1 Black 100 % 0 0 0"
    )
    assert 'id="now-note">1.5 s · blunder; better e3 d5<' in page
    assert re.findall(r'class="(inaccuracy|mistake|blunder)"', page) == ["inaccuracy", "blunder"]
    assert [words(text) for _ply, text in links(page)] == ["Start", "f3?!", "e5", "g4??", "Qh4#"]
    arrows = [json.loads(one["board"])["best"] for one in moves_of(page)]
    assert arrows == ["e2e4", "e7e5", "e2e3", "d8h4", ""]


def test_a_game_without_review_says_how_to_get_one() -> None:
    assert "bot88 review" in shown(replay())
    other = replace(REVIEWED, moves=REVIEWED.moves[:2])
    assert "bot88 review" in game_page(replay(), "http://server", None, other), "a review of another game"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["one", "two", "three"]),
        ({"opponent": "ALI"}, ["one", "three"]),
        ({"opening": "sicilian"}, ["two"]),
        ({"opening": "B2"}, ["two"]),
        ({"result": "lost", "color": ""}, ["three"]),
        ({"rated": "casual", "color": "black"}, ["two"]),
        ({"opponent": "nobody"}, []),
    ],
)
def test_filters_select_games(wanted: dict[str, str], found: list[str]) -> None:
    games = [
        played("one", eco="A00", opening="Barnes Opening"),
        played("two", opponent="Bobby", eco="B20", opening="Sicilian Defense", rated=False, color="black"),
        played("three", outcome=Outcome.LOSS),
    ]
    page = games_page(games, 1, wanted)
    assert re.findall(r'id="played-(\w+)"', page) == found
    assert f"{len(found)} games in 30 days" in page
    assert ("No game matches the filters." in page) == (not found)


def test_without_a_pgn_there_is_no_download_and_without_moves_a_reason() -> None:
    page = unescape(shown(replay(pgn="", moves=(), unreadable="game abcdefgh cannot be read: it has no PGN")))
    assert "Download" not in page
    assert "it has no PGN" in page
    assert "Download" in shown(replay())


@pytest.mark.parametrize(
    ("outcome", "status", "result"),
    [
        (Outcome.DRAW, "stalemate", "Drawn: stalemate"),
        (Outcome.DRAW, "draw", ">Drawn<"),
        (None, "aborted", "No result: aborted"),
    ],
)
def test_the_result_in_words(outcome: Outcome | None, status: str, result: str) -> None:
    assert result in shown(replay(outcome=outcome, status=status))


def test_hostile_texts_stay_texts() -> None:
    texts: dict[str, Any] = dict.fromkeys(("status", "speed", "opening", "game_id"), HOSTILE)
    headers = dict.fromkeys(("White", "Black", "WhiteTitle", "BlackElo", "TimeControl"), HOSTILE)
    assert Reader(shown(replay(**texts, headers=headers))).tags == Reader(shown(replay())).tags


FOOLS_PGN = '[Event "e"]\n\n1. f3 e5 2. g4 Qh4# 0-1'


def find(game_id: str) -> GameRecord | None:
    """A store with one game, and one that breaks."""
    if game_id == "broken":
        raise StoreError("disk I/O error")
    if game_id == "nopgn":
        return kept(pgn="")
    return kept(pgn=FOOLS_PGN) if game_id == "abcdefgh" else None


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    sources: dict[str, Any] = PLAIN | {"played": lambda _since_s: [kept()], "game": find}
    server = DashboardServer(DashboardSettings(port=0), Observer(Sources(**sources)), Meters())
    assert server.start()
    yield server.url
    server.stop()


def get(address: str) -> requests.Response:
    return requests.get(address, timeout=20)


def test_a_game_is_found_by_its_id(url: str) -> None:
    answer = get(f"{url}/game/abcdefgh?ply=1")
    assert answer.status_code == 200
    assert 'id="now-move">1. f3<' in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert 'id="now-move">2... Qh4#<' in get(f"{url}/game/abcdefgh?ply=nonsense").text


@pytest.mark.parametrize(
    ("game_id", "status"), [("missing", 404), ("..%2fetc", 404), ("%3Cb%3E", 404), ("x" * 99, 404), ("broken", 503)]
)
def test_a_game_that_is_not_there_is_said_in_words(url: str, game_id: str, status: int) -> None:
    assert get(f"{url}/game/{game_id}").status_code == status
    assert get(f"{url}/game/{game_id}.pgn").status_code == status
    assert "<b>" not in get(f"{url}/game/{game_id}").text


def test_the_pgn_is_a_file(url: str) -> None:
    answer = get(f"{url}/game/abcdefgh.pgn")
    assert answer.headers["content-disposition"] == 'attachment; filename="abcdefgh.pgn"'
    assert answer.headers["content-type"].startswith("application/x-chess-pgn")
    assert answer.text == FOOLS_PGN + "\n"


def test_a_game_without_pgn_has_a_page_and_no_file(url: str) -> None:
    assert get(f"{url}/game/nopgn").status_code == 200
    assert get(f"{url}/game/nopgn.pgn").status_code == 404


@pytest.mark.parametrize("query", ["", "?page=1", "?page=99", "?page=-1", "?page=x", "?page=99999999999"])
def test_the_list_is_served_whatever_page_is_asked_for(url: str, query: str) -> None:
    answer = get(f"{url}/games{query}")
    assert answer.status_code == 200
    assert "/game/abcdefgh" in answer.text


def test_an_unknown_address_is_a_page_like_the_others(url: str) -> None:
    answer = get(f"{url}/nothing/here")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no page /nothing/here." in answer.text
    assert '<nav aria-label="Pages">' in answer.text
