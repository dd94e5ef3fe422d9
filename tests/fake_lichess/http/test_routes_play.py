"""Playing over HTTP: moves, clocks, ends, offers, presence."""

from __future__ import annotations

import time

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, error_of, play
from tests.helpers.lichess_client import Client


def test_a_whole_game_to_mate(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    game_id = fake.challenge("Alice", "bot88", clock=(300, 3), color="black")
    assert events.wait_for("challenge")["challenge"]["id"] == game_id
    assert bot.post(f"/api/challenge/{game_id}/accept").json() == {"ok": True}
    assert events.wait_for("gameStart")["game"]["color"] == "white"
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    full = stream.wait_for("gameFull")
    assert full["clock"] == {"initial": 300_000, "increment": 3_000}
    for ours, theirs in (("e2e4", "e7e5"), ("d1h5", "b8c6"), ("f1c4", "g8f6")):
        assert bot.post(f"/api/bot/game/{game_id}/move/{ours}").json() == {"ok": True}
        fake.player("Alice", game_id).move(theirs)
    bot.post(f"/api/bot/game/{game_id}/move/h5f7")
    stream.wait_for_end()
    assert stream.error is None, "the stream ends in good order"
    last = stream.events[-1]
    assert (last["status"], last["winner"]) == ("mate", "white")
    assert last["moves"] == "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
    finish = events.wait_for("gameFinish")["game"]
    assert (finish["status"], finish["winner"]) == ({"id": 30, "name": "mate"}, "white")


def test_reopening_a_finished_game_gives_one_line_and_the_end(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    bot.post(f"/api/bot/game/{game_id}/abort")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for_end()
    assert [event["type"] for event in stream.events] == ["gameFull"]
    assert stream.events[0]["state"]["status"] == "aborted"
    assert stream.error is None


def test_the_flag_falls_without_a_request(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(0.3, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e2e4 e7e5")
    stream.wait_for_end()
    last = stream.events[-1]
    assert (last["status"], last["winner"], last["wtime"], last["btime"]) == ("outoftime", "black", 0, 300)
    assert error_of(bot.post(f"/api/bot/game/{game_id}/move/g1f3")) == (400, "Not your turn, or game already over")


def test_out_of_turn_and_illegal_moves_are_refused(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    assert error_of(bot.post(f"/api/bot/game/{game_id}/move/e2e5")) == (400, "Piece on e2 cannot move to e5")
    assert bot.post(f"/api/bot/game/{game_id}/move/e2e4").ok
    assert error_of(bot.post(f"/api/bot/game/{game_id}/move/e7e5")) == (400, "Not your turn, or game already over")


def test_resigning_early_aborts_and_later_resigns(fake: FakeLichess, bot: Client) -> None:
    early, late = fake.start_game("bot88", "Alice"), fake.start_game("bot88", "Alice")
    assert bot.post(f"/api/bot/game/{early}/resign").ok
    assert fake.game(early).status == "aborted"
    play(fake, late, "e2e4 e7e5")
    assert bot.post(f"/api/bot/game/{late}/abort").json() == {"error": "This game can no longer be aborted"}
    assert bot.post(f"/api/bot/game/{late}/resign").ok
    assert (fake.game(late).status, fake.game(late).winner) == ("resign", "black")
    assert error_of(bot.post(f"/api/bot/game/{late}/resign")) == (400, "This game cannot be resigned")


def test_spectators_chat_reaches_bots_but_not_persons(fake: FakeLichess, alice: Client, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    theirs = alice.stream(f"/api/board/game/stream/{game_id}")
    ours = bot.stream(f"/api/bot/game/stream/{game_id}")
    theirs.wait_for("gameFull")
    ours.wait_for("gameFull")
    fake.player("bot88", game_id).say("for those who watch", "spectator")
    fake.player("bot88", game_id).say("for the opponent")
    assert theirs.wait_for("chatLine")["text"] == "for the opponent"
    ours.wait_for("chatLine", 2)
    assert [event["room"] for event in ours.events if event["type"] == "chatLine"] == ["spectator", "player"]


def test_a_dropped_stream_has_its_grace_counted_from_the_last_drop(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(gone_after_s=0.6)
    bot, alice = connect(fake, "bot88"), connect(fake, "Alice")
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    theirs = alice.stream(f"/api/board/game/stream/{game_id}")
    theirs.wait_for("gameFull")
    path = f"/api/bot/game/stream/{game_id}"
    for _ in range(4):  # each drop is shorter than the grace, all together are longer
        stream = bot.stream(path)
        stream.wait_for("gameFull")
        stream.close()
        time.sleep(0.25)
    bot.stream(path).wait_for("gameFull")
    assert [event for event in theirs.events if event["type"] == "opponentGone"] == []


def test_a_provisional_rating_is_marked(fake: FakeLichess, connect: Connect) -> None:
    fake.add_account("Settled", title="BOT", games=20)
    game_id = fake.start_game("Settled", "Alice", clock=(180, 0))
    full = connect(fake, "Settled").stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert (full["black"]["provisional"], full["white"].get("provisional")) == (True, None)


def test_an_absent_opponent_is_reported_and_can_be_claimed_against(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(claim_after_s=0.2, gone_after_s=0.0)
    bot, alice = connect(fake, "bot88"), connect(fake, "Alice")
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    theirs = alice.stream(f"/api/board/game/stream/{game_id}")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e2e4 e7e5")
    assert error_of(bot.post(f"/api/bot/game/{game_id}/claim-victory")) == (
        400,
        "You cannot claim the win on this game",
    )
    theirs.close()
    gone = stream.wait_for("opponentGone")
    assert gone == {"type": "opponentGone", "gone": True, "claimWinInSeconds": 1}, "also on our own turn"
    stream.wait(lambda events: events[-1].get("claimWinInSeconds") == 0)
    assert bot.post(f"/api/bot/game/{game_id}/claim-victory").status_code == 400, "the claim waits for their turn"
    play(fake, game_id, "g1f3")
    fake.wait_for(lambda: bot.post(f"/api/bot/game/{game_id}/claim-victory").ok, what="the claim")
    assert (fake.game(game_id).status, fake.game(game_id).winner) == ("timeout", "white")


def test_an_opponent_who_comes_back_is_reported(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    play(fake, game_id, "e2e4 e7e5")
    alice = fake.player("Alice", game_id)
    alice.leave()
    assert stream.wait_for("opponentGone")["gone"] is True
    alice.come_back()
    assert stream.wait(lambda events: events[-1] == {"type": "opponentGone", "gone": False})


def test_chat_reaches_the_stream_and_the_list(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    fake.player("Alice", game_id).say("hello there")
    line = stream.wait_for("chatLine")
    assert line == {"type": "chatLine", "room": "player", "username": "Alice", "text": "hello there"}
    assert bot.post(f"/api/bot/game/{game_id}/chat", json={"room": "player", "text": "a JSON body"}).ok
    assert bot.post(f"/api/bot/game/{game_id}/chat", data={"room": "spectator", "text": "a form"}).ok
    stream.wait_for("chatLine", 3)
    lines = bot.get(f"/api/bot/game/{game_id}/chat").json()
    assert lines == [{"text": "hello there", "user": "Alice"}, {"text": "a JSON body", "user": "bot88"}]


def test_a_second_stream_with_the_same_agent_closes_the_first(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    path = f"/api/bot/game/stream/{game_id}"
    first, other = bot.stream(path, **{"User-Agent": "one"}), bot.stream(path, **{"User-Agent": "two"})
    first.wait_for("gameFull")
    other.wait_for("gameFull")
    bot.stream(path, **{"User-Agent": "one"}).wait_for("gameFull")
    first.wait_for_end()
    fake.wait_for(lambda: fake.open_game_streams(game_id) == 2)
    assert not other.ended.is_set()


def test_keep_alives_come_as_empty_lines(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(game_keepalive_s=0.02, event_keepalive_s=0.02)
    bot = connect(fake, "bot88")
    streams = [bot.stream("/api/stream/event"), bot.stream(f"/api/bot/game/stream/{fake.start_game('bot88', 'Alice')}")]
    for stream in streams:
        stream.wait(lambda _: streams[0].raw.count(b"") >= 3 and streams[1].raw.count(b"") >= 3)
        assert stream.response.headers["content-type"] == "application/x-ndjson"
        assert stream.response.headers["transfer-encoding"] == "chunked"


def test_the_board_api_is_for_persons_and_the_bot_api_for_bots(fake: FakeLichess, bot: Client, alice: Client) -> None:
    game_id = fake.start_game("Alice", "bot88")
    assert alice.post(f"/api/board/game/{game_id}/move/e2e4").json() == {"ok": True}
    wrong = [bot.post(f"/api/board/game/{game_id}/move/e7e5"), alice.post(f"/api/bot/game/{game_id}/move/d2d4")]
    assert (wrong[0].status_code, wrong[0].json()) == (403, {"error": "Missing scope: board:play"})
    assert wrong[1].status_code == 400
    assert "can only be used with a Bot account" in wrong[1].json()["error"]


def test_the_time_on_a_reopened_stream_is_live(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.challenge("Alice", "bot88", clock=(600, 0), color="black")
    fake.accept("bot88", game_id)
    play(fake, game_id, "e2e4 e7e5")
    first = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")["state"]["wtime"]
    fake.wait_for(lambda: fake.game(game_id).white_ms < first - 20)
    again = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert again["state"]["wtime"] < first


@pytest.mark.parametrize(("name", "api"), [("bot88", "bot"), ("Alice", "board")])
def test_every_act_of_both_apis(make_fake: MakeFake, connect: Connect, name: str, api: str) -> None:
    fake = make_fake(claim_after_s=0.0)
    client = connect(fake, name)

    def begin(moves: str = "e2e4 e7e5") -> str:
        game_id = fake.start_game(name, "Bobby", clock=(600, 0))
        play(fake, game_id, moves)
        return game_id

    def act(game_id: str, action: str) -> str:
        assert client.post(f"/api/{api}/game/{game_id}/{action}").json() == {"ok": True}
        return fake.game(game_id).status

    assert act(begin(""), "abort") == "aborted"
    assert act(begin(), "resign") == "resign"
    drawn = begin()
    fake.player("Bobby", drawn).draw()
    assert act(drawn, "draw/yes") == "draw"
    back = begin()
    fake.player("Bobby", back).takeback()
    act(back, "takeback/yes")
    assert fake.game(back).moves == ("e2e4",)
    for action, winner in (("claim-victory", "white"), ("claim-draw", None)):
        left = begin("e2e4 e7e5 g1f3")
        assert client.post(f"/api/{api}/game/{left}/{action}").status_code == 400, "the opponent is there"
        fake.player("Bobby", left).leave()
        assert act(left, action) == "timeout"
        assert fake.game(left).winner == winner


def test_there_is_no_berserk_here(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    assert error_of(alice.post(f"/api/board/game/{game_id}/berserk")) == (400, "Cannot berserk")
