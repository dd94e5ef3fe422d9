"""The engine's opinion over HTTP: for those who watch and for everybody after the end, never for a player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import scoring_engine
from tests.helpers.fake import make_fake
from tests.helpers.processes import wait_until

__all__ = ["make_fake"]  # a fixture
MakeFake = Callable[..., FakeLichess]


@pytest.fixture
def fake(make_fake: MakeFake) -> FakeLichess:
    """A server with an engine whose scores are known."""
    return make_fake(analysis_engine=scoring_engine())


def ask(fake: FakeLichess, name: str | None = None, **fields: object) -> tuple[int, Any]:
    """Status and JSON of an evaluation that an account asks for."""
    headers = {"Authorization": f"Bearer {fake.token(name)}"} if name else {}
    answer = requests.post(f"{fake.url}/web/evaluation", json={"millis": 20, **fields}, headers=headers, timeout=60)
    return answer.status_code, answer.json()


def test_score_and_lines_are_from_white_s_view(fake: FakeLichess) -> None:
    status, found = ask(fake, moves="e2e4 d7d5", lines=2)
    assert status == 200
    assert found["score"] == {"cp": 100}
    assert found["lines"][0] == {"score": {"cp": 100}, "moves": ["e4d5"], "text": "2. exd5"}
    assert len(found["lines"]) == 2
    assert ask(fake, moves="e2e4 d7d5 a2a3")[1]["score"] == {"cp": -100}  # Black takes


def test_mate_and_ends(fake: FakeLichess) -> None:
    assert ask(fake, moves="f2f3 e7e5 g2g4")[1]["score"] == {"mate": -1}
    assert ask(fake, moves="f2f3 e7e5 g2g4 d8h4")[1] == {
        "score": {"mate": 0, "winner": "black"},
        "depth": 0,
        "lines": [],
    }
    stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert ask(fake, variant="fromPosition", initialFen=stalemate)[1]["score"] == {"cp": 0}


def test_a_player_gets_no_help_in_the_game(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    moves = ("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "e2e4", "e7e5", "d2d4")
    for ply, uci in enumerate(moves):
        fake.player(("Alice", "Bobby")[ply % 2], game_id).move(uci)
    line = " ".join(moves)
    for fields in (
        {"gameId": game_id, "moves": "e2e4"},
        {"moves": line},
    ):  # by its id, and by the position on its board
        status, found = ask(fake, "Bobby", **fields)
        assert (status, "You are playing this game" in found["error"]) == (403, True)
    assert ask(fake, "Fresh", gameId=game_id, moves=line)[0] == 200
    assert ask(fake, gameId=game_id, moves=line)[0] == 200
    fake.player("Alice", game_id).resign()
    assert ask(fake, "Bobby", gameId=game_id, moves=line)[0] == 200


def test_nonsense_is_refused_with_a_sentence(fake: FakeLichess) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"moves": "e2e5"}, "not possible"),
        ({"variant": "poker"}, "unknown variant"),
    ]
    for fields, words in cases:
        status, found = ask(fake, **fields)
        assert status == 400
        assert words in found["error"]
    unknown = requests.post(
        f"{fake.url}/web/evaluation", json={}, headers={"Authorization": "Bearer nobody"}, timeout=60
    )
    assert unknown.status_code == 401


def test_a_variant_that_the_engine_does_not_know_is_said(fake: FakeLichess) -> None:
    assert ask(fake, variant="atomic") == (503, {"error": "The engine does not know this variant."})
    assert ask(fake)[0] == 200


def test_without_an_engine_the_page_is_reported(make_fake: MakeFake) -> None:
    fake = make_fake(analysis_engine="")
    assert requests.get(f"{fake.url}/web/people", timeout=60).json()["engine"] is False
    assert ask(fake) == (503, {"error": "This server has no engine to evaluate positions."})


def test_an_engine_that_crashes_is_started_again(make_fake: MakeFake, tmp_path: Path) -> None:
    fake = make_fake(analysis_engine=scoring_engine("crash-once", str(tmp_path / "crashed")))
    assert ask(fake)[0] == 503
    assert ask(fake)[0] == 200


def test_a_program_that_is_missing_is_said(make_fake: MakeFake) -> None:
    assert ask(make_fake(analysis_engine="/no/such/engine"))[0] == 503


def test_the_engine_ends_with_the_server(make_fake: MakeFake) -> None:
    before = set(psutil.Process().children())
    fake = make_fake(analysis_engine=scoring_engine())
    assert ask(fake)[0] == 200
    started = set(psutil.Process().children()) - before
    assert started
    fake.stop()
    assert wait_until(lambda: not any(child.is_running() for child in started))


def test_the_facts_of_a_game(fake: FakeLichess) -> None:
    game_id = fake.start_game(
        "Alice", "Bobby", clock=(60, 1), variant="fromPosition", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    )
    fake.player("Alice", game_id).move("e2e4")
    found = requests.get(f"{fake.url}/web/facts/{game_id}", timeout=60).json()
    assert (found["uci"], found["finished"], found["variant"]["name"]) == (["e2e4"], False, "From Position")
    assert found["wtime"] == found["btime"] == 60_000
    assert found["initialFen"].startswith("4k3")
    assert requests.get(f"{fake.url}/web/facts/nonsense", timeout=60).status_code == 404
