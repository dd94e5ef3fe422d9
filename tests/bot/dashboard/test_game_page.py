"""The page of a finished game."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from bot.archive.played_game import PlayedGame
from bot.dashboard.game_page import game_page, missing_page, position_address
from bot.events.outcome import Outcome
from tests.bot.dashboard.pictures import replay, words
from tests.bot.dashboard.test_overview import Reader


def shown(game: PlayedGame, ply: int | None = None) -> str:
    """The page of a game."""
    return game_page(game, "http://server", ply)


HOSTILE = '"><img src=x onerror=y>'


def links(page: str) -> list[tuple[str, str]]:
    """Plies and words of the list of moves."""
    sheet = page[page.index('id="moves"') :]
    return re.findall(r'<a href="\?ply=(\d+)"[^>]*>([^<]*)</a>', sheet)


def test_every_position_has_its_link() -> None:
    assert links(shown(replay())) == [("0", "Start"), ("1", "f3"), ("2", "e5"), ("3", "g4"), ("4", "Qh4#")]


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
        "Alice 1700 – BOT me 2000 We won: checkmate blitz · rated · 180+2 · A00 Barnes Opening · 14 Nov 2023 22:13 UTC"
        " Alice 1700 2:59 BOT me 2000 2:58 « ‹ › » 1... e5 +1.60 depth 9 · 1.5 s · engine88 +10 +3 0 −3 −10"
        " Start 1. f3 e5 2. g4 Qh4# Open on Lichess Download PGN Keys: ← → Home End"
    )
    assert 'class="badge win"' in page
    assert 'alt="Position after 1... e5"' in page
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
        "Alice 1700 – BOT me 2000 No result blitz · rated · - · 14 Nov 2023 22:13 UTC"
        " Alice 1700 BOT me 2000 « ‹ › » 2... Qh4# +10 +3 0 −3 −10"
        " Start 1. f3 e5 2. g4 Qh4# Open on Lichess Download PGN Keys: ← → Home End"
    )
    assert 'class="badge none"' in page
    assert "No scores were kept" in page


def test_each_move_carries_what_the_page_shows_of_it() -> None:
    """The script shows a position from these alone, without asking the server."""
    page = unescape(shown(replay(), 4))
    sheet = page[page.index('id="moves"') :]
    found = [dict(re.findall(r'data-(\w+)="([^"]*)"', link)) for link in re.findall(r'<a href="\?ply=[^>]*>', sheet)]
    told = [[one[name] for name in ("label", "score", "note", "white", "black", "alt")] for one in found]
    assert told == [
        ["Start", "", "", "3:00", "3:00", "Position at the start"],
        ["1. f3", "", "1.5 s", "2:59", "3:00", "Position after 1. f3"],
        ["1... e5", "+1.60", "depth 9 · 1.5 s · engine88", "2:59", "2:58", "Position after 1... e5"],
        ["2. g4", "", "1.5 s", "2:57", "2:58", "Position after 2. g4"],
        ["2... Qh4#", "+3.20", "depth 9 · 1.5 s · engine88", "2:57", "2:56", "Position after 2... Qh4#"],
    ]
    assert [one["board"] for one in found] == [position_address(replay(), ply) for ply in range(5)]
    assert len({one["board"] for one in found}) == 5
    assert re.findall(r'<a href="\?ply=(\d+)" class="start"', sheet) == ["0"]
    assert re.findall(r'ply=(\d+)" aria-current="true"', sheet) == ["4"]


def test_a_page_of_no_game_says_which() -> None:
    page = missing_page("abcdefgh", "No such game is kept.")
    start, end = page.index("<main"), page.index("</main>")
    assert words(page[start:end]) == "Game abcdefgh No such game is kept. Finished games"
    assert "<title>Game abcdefgh · bot88</title>" in page
    assert '<script src="/static/replay.js' not in page


def test_we_sit_at_the_bottom() -> None:
    page = shown(replay())
    places = [page.index(said) for said in ('name">Alice', "position.svg", 'name">BOT me')]
    assert places == sorted(places)
    assert "side=black" in position_address(replay(), 1)
    assert "side" not in position_address(replay(color="white"), 1)


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
    assert Reader(missing_page(HOSTILE, HOSTILE)).tags == Reader(missing_page("abcdefgh", "no")).tags
