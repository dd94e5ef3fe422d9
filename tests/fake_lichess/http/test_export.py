"""PGN in and out, and names of openings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import chess
import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.http.division import division
from bot.fake_lichess.openings import find_opening, opening_json
from bot.fake_lichess.world.game_end import GameEnd
from tests.fake_lichess.conftest import Connect
from tests.helpers.lichess_client import Client
from tests.helpers.shared import shared_data

PGN = '[White "Anderssen"]\n[Black "Kieseritzky"]\n[WhiteElo "2600"]\n[Result "{result}"]\n\n{moves} {result}\n'
JSON = {"Accept": "application/json"}
RUY_LOPEZ = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")


def test_a_game_by_correspondence_names_its_days_and_no_start_has_a_loser(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=None, days=2)
    assert '[TimeControl "2 days per move"]' in bot.get(f"/game/export/{game_id}").text
    fake.call(lambda: fake.world.games[game_id].finish(GameEnd("noStart", chess.BLACK), fake.world.now_ms()))
    text = bot.get(f"/game/export/{game_id}").text
    assert '[Result "0-1"]' in text
    assert '[Termination "Abandoned"]' in text


def test_who_went_berserk_is_marked(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(60, 0))

    def go_berserk() -> None:
        fake.world.games[game_id].players[chess.BLACK].berserk = True

    fake.call(go_berserk)
    text = bot.get(f"/game/export/{game_id}").text
    assert ('[BlackBerserk "true"]\n[Variant ' in text, "WhiteBerserk" in text) == (True, False)


@pytest.mark.parametrize(
    ("moves", "result", "status", "winner"),
    [
        ("1. f3 e5 2. g4 Qh4#", "0-1", "mate", "black"),
        ("1. e4 e5", "1-0", "resign", "white"),
        ("1. e4 e5", "1/2-1/2", "draw", None),
        ("1. e4 e5", "*", "unknownFinish", None),
    ],
)
def test_a_game_is_imported_and_exported(
    fake: FakeLichess, alice: Client, moves: str, result: str, status: str, winner: str | None
) -> None:
    answer = alice.post("/api/import", data={"pgn": PGN.format(moves=moves, result=result)}).json()
    assert answer["url"] == f"{fake.url}/{answer['id']}"
    game = alice.get(f"/game/export/{answer['id']}", headers={"Accept": "application/json"}).json()
    assert (game["status"], game.get("winner"), game["source"]) == (status, winner, "import")
    assert game["players"]["white"]["user"]["name"] == "Anderssen"
    assert game["players"]["white"]["rating"] == 2600
    assert alice.get("/api/account/playing").json()["nowPlaying"] == []


@pytest.mark.parametrize("pgn", ["", "this is not a game", "1. e4 e4", "1. Ke2", "1. e4 (1. d4) e4) e5"])
def test_an_invalid_game_is_refused(fake: FakeLichess, connect: Connect, pgn: str) -> None:
    refused = connect(fake, None).post("/api/import", data={"pgn": pgn})
    assert (refused.status_code, list(refused.json()["error"])) == (400, ["pgn"])


@pytest.mark.parametrize("variant", ["standard", "threeCheck", "kingOfTheHill", "crazyhouse"])
def test_variants_with_the_usual_moves_share_the_names(variant: str) -> None:
    found = find_opening(variant, "startpos", RUY_LOPEZ)
    assert found is not None
    assert opening_json(found) == {"eco": "C60", "name": found.name, "ply": 5}
    assert "Ruy Lopez" in found.name


@pytest.mark.parametrize("variant", ["chess960", "antichess", "atomic", "horde", "racingKings", "fromPosition"])
def test_other_variants_have_none(variant: str) -> None:
    assert find_opening(variant, "startpos", RUY_LOPEZ) is None


def test_a_given_position_has_none() -> None:
    assert find_opening("standard", chess.STARTING_FEN, RUY_LOPEZ) is None
    assert find_opening("standard", "startpos", ()) is None


def test_a_drop_ends_the_opening() -> None:
    found = find_opening("crazyhouse", "startpos", ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4"])
    assert found is not None
    assert found.eco == "B01"


def test_players_see_their_full_id_and_everyone_the_phases(fake: FakeLichess, alice: Client, connect: Connect) -> None:
    # Paulsen - Morphy 1857
    moves = "1. e4 e5 2. Nf3 Nc6 3. Nc3 Nf6 4. Bb5 Bc5 5. O-O O-O 6. Nxe5 Re8 7. Nxc6 dxc6 8. Bc4 b5 9. Be2 Nxe4"
    moves += " 10. Nxe4 Rxe4 11. Bf3 Re6 12. c3 Qd3 13. b4 Bb6 14. a4 bxa4 15. Qxa4 Bd7 16. Ra2 Rae8 17. Qa6 Qxf3"
    moves += " 18. gxf3 Rg6+ 19. Kh1 Bh3 20. Rd1 Bg2+ 21. Kg1 Bxf3+ 22. Kf1 Bg2+ 23. Kg1 Bh3+ 24. Kh1 Bxf2 25. Qf1 Bxf1"
    moves += " 26. Rxf1 Re2 27. Ra1 Rh6 28. d4 Be3"
    imported = alice.post("/api/import", data={"pgn": PGN.format(moves=moves, result="0-1")}).json()["id"]
    game = alice.get(f"/game/export/{imported}", headers=JSON).json()
    assert game["division"] == {"middle": 20, "end": 51}
    assert "division" not in alice.get(f"/game/export/{imported}?division=false", headers=JSON).json()
    game_id = fake.start_game("Alice", "bot88")
    full_id = alice.get("/api/account/playing").json()["nowPlaying"][0]["fullId"]
    assert alice.get(f"/game/export/{game_id}", headers=JSON).json()["fullId"] == full_id
    assert "fullId" not in connect(fake, "Bobby").get(f"/game/export/{game_id}", headers=JSON).json()


def test_phases_begin_where_the_official_examples_say() -> None:
    document = shared_data("lichess-api/lichess-api-full.json").read_text(encoding="utf-8")
    games = list(games_with_phases(json.loads(document)))
    assert games
    for game in games:
        board = chess.Board()
        boards = [board.copy()]
        for san in game["moves"].split():
            board.push_san(san)
            boards.append(board.copy())
        assert division(boards) == game["division"], game["id"]


def games_with_phases(value: Any) -> Iterator[dict[str, Any]]:
    """All games with a division in a document."""
    if isinstance(value, dict) and "division" in value and isinstance(value.get("moves"), str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from games_with_phases(inner)


@pytest.mark.parametrize(
    ("method", "old", "new"),
    [
        ("GET", "/games/export/alice", "/api/games/user/alice"),
        ("GET", "/game/export/{game}.pgn", "/game/export/{game}"),
        ("POST", "/games/export/_ids", "/api/games/export/_ids"),
        ("GET", "/player", "/api/player"),
        ("GET", "/player/top/5/blitz", "/api/player/top/5/blitz"),
        ("GET", "/player/autocomplete?term=ali", "/api/player/autocomplete?term=ali"),
        ("POST", "/team/fake-club/kick/bobby", "/api/team/fake-club/kick/bobby"),
        ("POST", "/api/bot/game/{game}/chat/", "/api/bot/game/{game}/chat"),
    ],
)
def test_addresses_of_older_clients_answer_alike(
    fake: FakeLichess, alice: Client, method: str, old: str, new: str
) -> None:
    game_id = fake.start_game("Alice", "bot88")
    fake.player("Alice", game_id).abort()
    answers = [
        alice.session.request(method, alice.url + path.format(game=game_id), data=game_id, timeout=60)
        for path in (old, new)
    ]
    assert (answers[0].status_code, answers[0].text) == (answers[1].status_code, answers[1].text)
    assert answers[0].status_code != 404


def test_a_browser_saves_games_under_their_names(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(180, 0))
    fake.player("Alice", game_id).abort()
    name = bot.get(f"/game/export/{game_id}").headers["content-disposition"]
    assert name.startswith("attachment; filename=lichess_pgn_2")
    assert name.endswith(f"_Alice_vs_bot88.{game_id}.pgn")
    assert (
        bot.get("/api/games/user/alice")
        .headers["content-disposition"]
        .startswith("attachment; filename=lichess_Alice_2")
    )
    assert bot.get("/api/games/user/alice?vs=nobody").status_code == 404
