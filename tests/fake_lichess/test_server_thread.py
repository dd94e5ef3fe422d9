"""The server in its thread: start, stop, restart, and what tests use."""

from __future__ import annotations

import threading
import time

import chess
import pytest
import requests

from bot.fake_lichess import FakeConfig, FakeLichess, Script
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client


def test_stop_ends_streams_frees_the_port_and_the_thread(fake: FakeLichess, bot: Client) -> None:
    stream = bot.stream("/api/stream/event")
    port = int(fake.url.rpartition(":")[2])
    fake.stop()
    fake.stop()
    stream.wait_for_end()
    with FakeLichess(FakeConfig(port=port)) as other:
        assert other.url == f"http://127.0.0.1:{port}"
        assert sum(thread.name == "fake-lichess" for thread in threading.enumerate()) >= 1
    with pytest.raises(RuntimeError, match="not running"):
        other.token("bot88")


def test_a_taken_port_is_an_error(fake: FakeLichess) -> None:
    port = int(fake.url.rpartition(":")[2])
    with pytest.raises(OSError, match="in use"):
        FakeLichess(FakeConfig(port=port)).start()


def test_a_wrong_opponent_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown opponent 'kasparov'"):
        FakeLichess(FakeConfig(accounts=({"name": "Garry", "opponent": "kasparov"},))).start()  # type: ignore[arg-type]  # coerced


def test_a_restart_keeps_games_and_gives_time(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(restart_bonus_ms=(20_000, 10_000))
    bot = connect(fake, "bot88")
    game_id = fake.start_game("bot88", "Alice", clock=(60, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    events = bot.stream("/api/stream/event")
    play(fake, game_id, "e2e4 e7e5")
    stream.wait(lambda seen: seen[-1].get("moves") == "e2e4 e7e5")
    restarting = threading.Thread(target=fake.restart, args=(1.0,))
    restarting.start()
    refused = False
    while restarting.is_alive() and not refused:
        try:
            requests.get(fake.url + "/api/bot/online", timeout=60)
        except requests.ConnectionError:
            refused = True
    restarting.join(60)
    assert refused, "the port was closed meanwhile"
    stream.wait_for_end()
    events.wait_for_end()
    game = fake.game(game_id)
    assert game.moves == ("e2e4", "e7e5")
    assert 60_000 < game.white_ms <= 79_000, "clocks ran on, and the side to move got twenty seconds"
    assert game.black_ms == 70_000
    again = bot.stream("/api/stream/event")
    assert again.wait_for("gameStart")["game"]["gameId"] == game_id
    assert bot.post(f"/api/bot/game/{game_id}/move/g1f3").ok


@pytest.mark.parametrize("planned", [True, False])
def test_only_a_planned_restart_ends_streams_in_good_order(fake: FakeLichess, bot: Client, planned: bool) -> None:
    streams = [bot.stream("/api/stream/event"), bot.stream(f"/api/bot/game/stream/{fake.start_game('bot88', 'Alice')}")]
    streams[1].wait_for("gameFull")
    fake.wait_for(lambda: fake.is_online("bot88"))
    fake.restart(down_s=0.05, planned=planned)
    for stream in streams:
        stream.wait_for_end()
        assert (stream.error is None) == planned
    assert not fake.is_online("bot88")


def test_nobody_is_gone_after_a_restart_who_comes_back_in_time(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(gone_after_s=0.3)
    bot, alice = connect(fake, "bot88"), connect(fake, "Alice")
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    paths = (f"/api/bot/game/stream/{game_id}", f"/api/board/game/stream/{game_id}")
    for client, path in zip((bot, alice), paths, strict=True):
        client.stream(path).wait_for("gameFull")
    fake.restart(down_s=0.7)
    theirs = alice.stream(paths[1])
    bot.stream(paths[0]).wait_for("gameFull")
    time.sleep(0.7)
    assert [event for event in theirs.events if event["type"] == "opponentGone"] == []


def test_no_flag_falls_while_the_server_is_down(make_fake: MakeFake) -> None:
    fake = make_fake(restart_bonus_ms=(0, 0))
    game_id = fake.start_game("bot88", "Alice", clock=(0.2, 0))

    def move_and_go_down() -> None:
        game = fake.world.game(game_id)
        game.play(chess.WHITE, "e2e4", fake.world.now_ms())
        game.play(chess.BLACK, "e7e5", fake.world.now_ms())
        fake.world.go_down(planned=True)

    fake.call(move_and_go_down)
    fake.wait_for(lambda: fake.game(game_id).white_ms == 0)
    assert not fake.game(game_id).over
    fake.call(fake.world.come_up)
    end = fake.wait_for_end(game_id)  # a clock that shows 0 may have half a millisecond left
    assert (end.status, end.winner, end.white_ms) == ("outoftime", "black", 0)


def test_the_opponents_of_the_server_play_on_after_a_restart(make_fake: MakeFake) -> None:
    fake = make_fake(opponent_delay_s=0.01)
    game_id = fake.challenge("Random", "Greedy", clock=(60, 0))
    fake.wait_for_moves(game_id, 5)
    fake.restart(down_s=0.1)
    before = len(fake.game(game_id).moves)
    assert fake.wait_for_moves(game_id, before + 3).status != "aborted"


def test_every_stream_can_be_dropped_in_good_order(fake: FakeLichess, bot: Client) -> None:
    stream = bot.stream("/api/stream/event")
    fake.drop_streams()
    stream.wait_for_end()
    assert stream.error is None
    assert not fake.is_online("bot88")


def test_waiting_ends_with_the_player_s_turn(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    white, black = fake.player("Alice", game_id), fake.player("Bobby", game_id)
    with pytest.raises(TimeoutError, match=f"not Bobby's turn in game {game_id}"):
        black.wait_for_turn(0.0)
    white.wait_for_turn().move("e2e4")
    black.wait_for_turn().move("e7e5")
    assert fake.game(game_id).moves == ("e2e4", "e7e5")


def test_a_started_game_does_not_wait_for_an_opponent_who_would_decline(fake: FakeLichess) -> None:
    fake.add_account("Proud", script=Script(challenge="tooFast"))
    game_id = fake.start_game("Alice", "Proud")
    assert not fake.game(game_id).over
    assert fake.challenge_status(game_id) == "accepted"


def test_nobody_has_the_turn_when_a_game_is_over(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    fake.player("Bobby", game_id).abort()
    with pytest.raises(TimeoutError):
        fake.player("Alice", game_id).wait_for_turn(0.0)
