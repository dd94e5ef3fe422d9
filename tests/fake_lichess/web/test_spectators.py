"""The spectators' room: open to those who watch, closed to those who play."""

from __future__ import annotations

from typing import Any

import requests

from bot.fake_lichess import FakeLichess
from tests.helpers.fake import fake

__all__ = ["fake"]  # a fixture


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
