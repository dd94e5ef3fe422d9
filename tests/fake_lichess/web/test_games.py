"""Lists of games for the lobby, and the spectators' chat."""

from __future__ import annotations

from typing import Any

import pytest
import requests

from bot.fake_lichess import FakeLichess

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def ask(fake: FakeLichess, **query: str) -> tuple[int, Any]:
    """Status and JSON of the list."""
    answer = requests.get(f"{fake.url}/web/finished", params=query, timeout=60)
    return answer.status_code, answer.json()


def ids(fake: FakeLichess, **query: str) -> list[str]:
    """The games of the list."""
    return [game["id"] for game in ask(fake, **query)[1]["games"]]


def resigned(fake: FakeLichess, white: str, black: str, loser: str, **terms: Any) -> str:
    """A finished game; gives its id."""
    game_id = fake.start_game(white, black, **terms)
    for name, uci in ((white, "g1f3"), (black, "g8f6")):
        fake.player(name, game_id).move(uci)
    fake.player(loser, game_id).resign()
    return game_id


def test_filters_choose_and_the_newest_is_first(fake: FakeLichess) -> None:
    mate = fake.start_game("Alice", "Bobby")
    for ply, uci in enumerate(MATE):
        fake.player(("Alice", "Bobby")[ply % 2], mate).move(uci)
    rated = resigned(fake, "Alice", "Fresh", "Fresh", rated=True)
    atomic = resigned(fake, "Fresh", "Bobby", "Fresh", variant="atomic")
    running = fake.start_game("Alice", "Bobby")
    assert running not in ids(fake)
    assert ids(fake) == [atomic, rated, mate]
    assert ids(fake, player="alice") == [rated, mate]
    assert ids(fake, player="alice", result="win") == [rated]
    assert ids(fake, player="alice", result="loss") == [mate]
    assert ids(fake, result="black") == [atomic, mate]
    assert ids(fake, result="draw") == []
    assert ids(fake, variant="atomic") == [atomic]
    assert ids(fake, rated="true") == [rated]
    first = ask(fake, player="alice", result="loss")[1]["games"][0]
    assert (first["status"], first["winner"], first["plies"], first["lastMove"]) == ("mate", "black", 4, "d8h4")
    assert first["lastFen"].startswith("rnb1kbnr")


def test_an_aborted_game_has_no_result(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    fake.player("Alice", game_id).abort()
    assert ids(fake) == [game_id]
    assert ids(fake, result="draw") == []


def test_pages(fake: FakeLichess) -> None:
    games = [resigned(fake, "Alice", "Bobby", "Alice") for _ in range(14)]
    status, found = ask(fake)
    assert (status, len(found["games"]), found["more"]) == (200, 12, True)
    assert ids(fake, page="1") == games[1::-1]
    assert ask(fake, page="1")[1]["more"] is False


@pytest.mark.parametrize("query", [{"result": "perhaps"}, {"page": "-1"}, {"page": "x"}])
def test_nonsense_is_refused(fake: FakeLichess, query: dict[str, str]) -> None:
    status, found = ask(fake, **query)
    assert status == 400
    assert str(next(iter(query.values()))) in found["error"]


def test_running_games_are_listed_with_their_positions(fake: FakeLichess) -> None:
    first, second = fake.start_game("Alice", "bot88"), fake.start_game("bot88", "OtherBot", variant="atomic")
    fake.player("Alice", first).move("e2e4")
    resigned(fake, "Alice", "Bobby", "Bobby")
    listed = requests.get(f"{fake.url}/web/running", timeout=60).json()
    assert [game["id"] for game in listed] == [second, first]
    assert listed[0]["variant"]["name"] == "Atomic"
    assert (listed[1]["lastMove"], listed[1]["lastFen"].split()[:2]) == (
        "e2e4",
        ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "b"],
    )


def room(fake: FakeLichess, game_id: str, name: str | None, text: str | None = None) -> tuple[int, Any]:
    """Read the room, or say something there; status and JSON."""
    headers = {"Authorization": f"Bearer {fake.token(name)}"} if name else {}
    url = f"{fake.url}/web/spectators/{game_id}"
    if text is None:
        answer = requests.get(url, headers=headers, timeout=60)
    else:
        answer = requests.post(url, json={"text": text}, headers=headers, timeout=60)
    return answer.status_code, answer.json()


def test_a_spectator_talks_and_the_bot_hears(fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby")
    assert room(fake, game_id, "Alice", "!eval") == (200, {"ok": True})
    assert room(fake, game_id, "Alice") == (200, [{"user": "Alice", "text": "!eval"}])
    assert room(fake, game_id, None)[0] == 200
    assert fake.game(game_id).chat == (("Alice", "!eval", "spectator"),)


def test_players_are_kept_out_until_the_end(fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby")
    for text in (None, "help me"):
        status, found = room(fake, game_id, "Bobby", text)
        assert status == 403
        assert "You play this game" in found["error"]
    fake.player("Bobby", game_id).abort()
    assert room(fake, game_id, "Bobby")[0] == 200


def test_what_is_refused(fake: FakeLichess) -> None:
    game_id = fake.start_game("OtherBot", "Bobby")
    assert room(fake, game_id, None, "hello")[0] == 401
    assert room(fake, game_id, "Alice", "x" * 141)[0] == 400
    assert room(fake, game_id, "Alice", " ")[0] == 400
    assert room(fake, "nonsense", "Alice")[0] == 404
