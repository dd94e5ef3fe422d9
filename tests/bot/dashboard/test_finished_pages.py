"""Finished games over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from bot.archive.game_record import GameRecord
from bot.dashboard import DashboardServer, Meters, Sources
from bot.errors import StoreError
from bot.settings import DashboardSettings
from tests.bot.dashboard.pictures import PLAIN, kept

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
    server = DashboardServer(DashboardSettings(port=0), Sources(**sources), Meters())
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


def test_a_position_is_a_picture_that_may_be_kept(url: str) -> None:
    answer = get(f"{url}/position.svg?fen=8/8/8/8/8/8/8/KQk5&last=a1b1&side=black")
    assert answer.text.startswith("<svg")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("image/svg+xml", "max-age=86400")


def test_a_position_is_seen_from_white_unless_black_is_asked_for(url: str) -> None:
    seen = {side: get(f"{url}/position.svg?fen=8/8/8/8/8/8/8/KQk5&side={side}").text for side in ("white", "", "black")}
    assert seen["white"] == seen[""] != seen["black"]


def test_a_game_without_pgn_has_a_page_and_no_file(url: str) -> None:
    assert get(f"{url}/game/nopgn").status_code == 200
    assert get(f"{url}/game/nopgn.pgn").status_code == 404


@pytest.mark.parametrize("query", ["", "fen=", "fen=nonsense", "fen=" + "8/" * 500, "fen=8/8/8/8/8/8/8/8&last=z9z9"])
def test_what_is_no_position_is_refused(url: str, query: str) -> None:
    assert get(f"{url}/position.svg?{query}").status_code == 400


@pytest.mark.parametrize("query", ["", "?page=1", "?page=99", "?page=-1", "?page=x", "?page=99999999999"])
def test_the_list_is_served_whatever_page_is_asked_for(url: str, query: str) -> None:
    answer = get(f"{url}/games{query}")
    assert answer.status_code == 200
    assert "/game/abcdefgh" in answer.text
