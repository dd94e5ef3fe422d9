"""TV channels and their feeds."""

from __future__ import annotations

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect


def test_a_feed_shows_the_newest_game_its_moves_and_then_the_next_game(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    first = fake.start_game("Alice", "bot88", clock=(180, 0))
    feed = anyone.stream("/api/tv/feed")
    featured = feed.wait(lambda lines: lines[:1])[0]
    assert (featured["t"], featured["d"]["id"]) == ("featured", first)
    assert [player["color"] for player in featured["d"]["players"]] == ["white", "black"]
    fake.player("Alice", first).move("e2e4")
    position = feed.wait(lambda lines: lines[1:2])[0]
    assert (position["t"], position["d"]["lm"], position["d"]["wc"]) == ("fen", "e2e4", 180)
    second = fake.start_game("bot88", "OtherBot")
    fake.player("Alice", first).abort()
    assert feed.wait(lambda lines: lines[2:3])[0]["d"]["id"] == second


def test_a_channel_has_its_own_feed(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    fake.start_game("Alice", "Bobby")
    bots = fake.start_game("bot88", "OtherBot", clock=(180, 0))
    fake.start_game("Alice", "bot88")
    assert anyone.stream("/api/tv/bot/feed").wait(lambda lines: lines[:1])[0]["d"]["id"] == bots
    assert anyone.get("/api/tv/nonsense/feed").status_code == 404
