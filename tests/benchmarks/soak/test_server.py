"""How posted moves are judged, and a whole exchange with the fake."""

from __future__ import annotations

import time
from typing import Any

import pytest
import requests

from benchmarks.soak.plan import GamePlan, Profile
from benchmarks.soak.server import BOT, SoakServer
from bot.fake_lichess.opponents.script import Script
from tests.helpers.ending import closed_at_end

TOKEN = "lip_soaktest"


@pytest.fixture
def server() -> SoakServer:
    return closed_at_end(SoakServer(Profile("calm"), 1, 2, TOKEN))


def post(server: SoakServer, path: str) -> int:
    answer = requests.post(f"{server.url}{path}", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    return answer.status_code


def begin(server: SoakServer, **script: Any) -> str:
    """A game with the bot to move first."""
    seat = server.seats[0]
    server.challenge(seat, GamePlan(1, {"color": "black", "clock": (60, 0)}, Script(**script)))
    assert post(server, f"/api/challenge/{seat.challenge_id}/accept") == 200
    return seat.challenge_id


def verdicts(server: SoakServer) -> list[str]:
    return [seen.verdict for seen in server.log.posts]


def test_a_move_is_played_and_its_repetition_is_told_from_a_wrong_one(server: SoakServer) -> None:
    game_id = begin(server, then="idle")
    statuses = [post(server, f"/api/bot/game/{game_id}/move/{uci}") for uci in ("e2e4", "e2e4", "d2d4", "e7e5")]
    assert statuses == [200, 400, 400, 400]
    assert verdicts(server) == ["played", "repeated", "misplaced", "misplaced"]


def test_a_repetition_is_known_many_plies_later(server: SoakServer) -> None:
    game_id = begin(server, moves=["a7a6", "a6a5", "a5a4"], then="idle")
    for ply, uci in enumerate(("e2e4", "d2d4", "c2c4")):
        assert post(server, f"/api/bot/game/{game_id}/move/{uci}") == 200
        server.fake.wait_for_moves(game_id, 2 * ply + 2)
    assert post(server, f"/api/bot/game/{game_id}/move/e2e4") == 400
    assert verdicts(server)[-1] == "repeated"


def test_an_ended_game_is_seen_once_and_moves_after_it_are_known(server: SoakServer) -> None:
    game_id = begin(server, then="resign")
    assert post(server, f"/api/bot/game/{game_id}/move/e2e4") == 200
    server.fake.wait_for(lambda: server.fake.game(game_id).over)
    assert post(server, f"/api/bot/game/{game_id}/move/d2d4") == 400
    accepted_s = time.monotonic()
    (ended,) = server.look().ended
    assert ended.began_s >= accepted_s  # the time in the queue is none of the game's
    assert (ended.game_id, ended.our_color, ended.moves) == (game_id, "white", ("e2e4",))
    assert server.look().ended == ()
    assert verdicts(server) == ["played", "over"]


def test_a_declined_challenge_is_counted_and_sent_again(server: SoakServer) -> None:
    seat = server.seats[0]
    server.challenge(seat, GamePlan(1, {"clock": (60, 0)}))
    first = seat.challenge_id
    assert post(server, f"/api/challenge/{first}/decline") == 200
    server.look()
    assert seat.challenge_id != first
    assert server.declined == {"generic": 1}


def test_streams_show_that_the_bot_is_ready_and_429_is_kept(server: SoakServer) -> None:
    assert server.log.ready_s == 0.0
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with requests.get(f"{server.url}/api/stream/event", headers=headers, stream=True, timeout=60) as stream:
        assert stream.status_code == 200
        assert server.log.ready_s > 0.0
    statuses = [requests.get(f"{server.url}/api/account", headers=headers, timeout=60).status_code for _ in range(31)]
    assert statuses[-1] == 429
    assert [endpoint for endpoint, _at_s in server.log.refused] == ["account"]
    assert server.fake.call(lambda: server.fake.world.account(BOT).name) == BOT
