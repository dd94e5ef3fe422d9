"""Streams of games as they start and end, and what spectators said."""

from __future__ import annotations

from typing import Any

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect
from tests.helpers.lichess_client import DEADLINE_S, Client, Stream


def follow(client: Client, path: str, body: str) -> Stream:
    """Open a stream by POST."""
    response = client.session.post(client.url + path, data=body, stream=True, timeout=DEADLINE_S)
    response.raise_for_status()
    stream = Stream(response)
    client.streams.append(stream)
    return stream


def seen(stream: Stream, number: int) -> list[tuple[str, str]]:
    """Wait for so many lines; id and status of each."""
    events: list[dict[str, Any]] = stream.wait(lambda found: found if len(found) >= number else None)
    return [(event["id"], event["statusName"]) for event in events]


def test_games_between_users_are_told_as_they_start_and_end(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    running = fake.start_game("Alice", "Bobby", clock=(300, 3))
    stream = follow(anyone, "/api/stream/games-by-users?withCurrentGames=true", "alice, Bobby,bot88")
    assert seen(stream, 1) == [(running, "started")]
    fake.start_game("Alice", "Fresh")
    begun = fake.start_game("bot88", "Alice", clock=(60, 0))
    assert seen(stream, 2)[1] == (begun, "started"), "one of the others is not in the list"
    for name, uci in (("Alice", "e2e4"), ("Bobby", "e7e5")):
        fake.player(name, running).move(uci)
    fake.player("Bobby", running).resign()
    assert seen(stream, 3)[2] == (running, "resign")
    assert stream.events[2]["winner"] == "white"
    assert stream.events[0]["players"]["white"] == {"userId": "alice", "rating": 1700}
    assert stream.events[0]["clock"] == {"initial": 300, "increment": 3, "totalTime": 420}


def test_games_by_ids_and_more_of_them_later(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    first, second = fake.start_game("Alice", "Bobby"), fake.start_game("Alice", "bot88")
    stream = follow(anyone, "/api/stream/games/mine", f"{first},notyet12")
    assert seen(stream, 1) == [(first, "started")]
    assert anyone.post("/api/stream/games/mine/add", data=second).json() == {"ok": True}
    assert seen(stream, 2)[1] == (second, "started")
    assert anyone.post("/api/stream/games/mine/add", data=second).ok
    fake.player("Alice", second).resign()
    assert seen(stream, 3)[2] == (second, "aborted")
    missing = anyone.post("/api/stream/games/other/add", data=second)
    assert (missing.status_code, missing.json()) == (404, {"error": "Not found."})


def test_a_closed_stream_is_forgotten(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    stream = follow(anyone, "/api/stream/games/mine", fake.start_game("Alice", "Bobby"))
    seen(stream, 1)
    stream.close()
    fake.wait_for(lambda: anyone.post("/api/stream/games/mine/add", data="x").status_code == 404)
    assert fake.call(lambda: (fake.world.on_begun, len(fake.world.broadcaster.other_streams))) == ([], 0)


def test_of_two_streams_with_one_name_the_later_takes_more_games_also_after_the_end_of_the_first(
    fake: FakeLichess, connect: Connect
) -> None:
    anyone = connect(fake, None)
    first, second = fake.start_game("Alice", "Bobby"), fake.start_game("Alice", "bot88")
    older, newer = (follow(anyone, "/api/stream/games/mine", first) for _ in range(2))
    assert seen(older, 1) == seen(newer, 1) == [(first, "started")]
    older.close()
    fake.wait_for(lambda: fake.call(lambda: len(fake.world.broadcaster.other_streams)) == 1)
    assert anyone.post("/api/stream/games/mine/add", data=second).ok
    assert seen(newer, 2)[1] == (second, "started")


def test_too_many_ids_are_refused(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    refused = anyone.post("/api/stream/games-by-users", data=",".join(f"u{number}" for number in range(301)))
    assert (refused.status_code, refused.json()) == (400, {"error": "Too many ids: at most 300"})


def test_a_restart_ends_the_streams(fake: FakeLichess, connect: Connect) -> None:
    stream = follow(connect(fake, None), "/api/stream/games-by-users", "alice,bobby")
    fake.restart(down_s=0.05, planned=True)
    stream.wait_for_end()
    assert stream.error is None


def test_the_spectators_chat_is_read_by_anyone(fake: FakeLichess, bot: Client, connect: Connect) -> None:
    game_id = fake.start_game("bot88", "Alice")
    for room in ("player", "spectator"):
        assert bot.post(f"/api/bot/game/{game_id}/chat", data={"room": room, "text": f"to the {room}"}).ok
    lines = connect(fake, None).get(f"/api/game/{game_id}/chat").json()
    assert lines == [{"text": "to the spectator", "user": "bot88"}]
