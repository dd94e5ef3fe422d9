"""Exports, imports, spectators, and streams of games."""

from __future__ import annotations

import io
import json
from typing import Any

import chess.pgn
import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.http import routes_games
from tests.fake_lichess.conftest import Connect, MakeFake, error_of, play, won_game
from tests.helpers.lichess_client import DEADLINE_S, Client, Stream

JSON = {"Accept": "application/json"}
NDJSON = {"Accept": "application/x-ndjson"}


def test_a_finished_game_as_pgn_replays(fake: FakeLichess, connect: Connect) -> None:
    game_id = fake.challenge("Random", "Greedy", clock=(60, 0), color="white")
    end = fake.wait_for_end(game_id)
    answer = connect(fake, None).get(f"/game/export/{game_id}")
    assert answer.headers["content-type"] == "application/x-chess-pgn"
    game = chess.pgn.read_game(io.StringIO(answer.text))
    assert game is not None
    assert game.errors == []
    assert tuple(move.uci() for move in game.mainline_moves()) == end.moves
    assert (game.headers["White"], game.headers["GameId"], game.headers["TimeControl"]) == ("Random", game_id, "60+0")
    assert game.headers["Result"] != "*"
    assert game.headers["Site"] == f"{fake.url}/{game_id}"
    assert game.next() is not None
    assert "%clk" in answer.text
    assert "%clk" not in connect(fake, None).get(f"/game/export/{game_id}?clocks=false").text


def test_variant_games_keep_their_first_position(fake: FakeLichess, connect: Connect) -> None:
    for variant in ("chess960", "crazyhouse", "horde"):
        game_id = fake.challenge("Random", "Greedy", clock=(60, 0), variant=variant)
        end = fake.wait_for_end(game_id)
        game = chess.pgn.read_game(io.StringIO(connect(fake, None).get(f"/game/export/{game_id}").text))
        assert game is not None
        assert game.errors == []
        assert game.end().board().fen() == end.fen


def test_a_game_as_json(fake: FakeLichess, connect: Connect) -> None:
    game_id = fake.challenge("Random", "Greedy", clock=(120, 1))
    end = fake.wait_for_end(game_id)
    path = f"/game/export/{game_id}?pgnInJson=true&clocks=true"
    game = connect(fake, None).get(path, headers=JSON).json()
    assert (game["status"], len(game["moves"].split())) == (end.status, len(end.moves))
    assert game["clock"] == {"initial": 120, "increment": 1, "totalTime": 160}
    assert len(game["clocks"]) == len(end.moves)
    assert game["pgn"].startswith("[Event")


def test_a_running_game_is_shown_three_plies_late_but_its_first_five_at_once(
    fake: FakeLichess, connect: Connect
) -> None:
    game_id = fake.start_game("Alice", "bot88")
    shown = []
    for number, uci in enumerate(["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]):
        fake.player("bot88" if number % 2 else "Alice", game_id).move(uci)
        moves = connect(fake, None).get(f"/game/export/{game_id}?lastFen=true", headers=JSON).json()["moves"]
        shown.append(len(moves.split()))
    assert shown == [1, 2, 3, 4, 5, 5, 5, 5, 6, 7]
    fake.player("Alice", game_id).resign()
    assert len(connect(fake, None).get(f"/game/export/{game_id}", headers=JSON).json()["moves"].split()) == 10


def test_the_tags_are_those_of_the_server(fake: FakeLichess, connect: Connect) -> None:
    game_id = won_game(fake, "bot88", "Alice", clock=(180, 2), rated=True)
    text = connect(fake, None).get(f"/game/export/{game_id}?literate=true").text
    head, _, moves = text.partition("\n\n")
    tags = dict(line[1:-2].split(' "', 1) for line in head.splitlines())
    assert " ".join(tags) == (
        "Event Site Date Round White Black Result GameId UTCDate UTCTime WhiteElo BlackElo WhiteRatingDiff "
        "BlackRatingDiff WhiteTitle Variant TimeControl ECO Opening Termination Annotator"
    )
    assert (tags["Event"], tags["Round"], tags["WhiteTitle"]) == ("rated blitz game", "-", "BOT")
    assert int(tags["WhiteRatingDiff"]) > 0 > int(tags["BlackRatingDiff"])
    assert tags["WhiteRatingDiff"].startswith("+")
    assert (tags["ECO"], tags["Opening"]) == ("C20", "King's Pawn Game")
    assert moves.startswith("1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] C20 King's Pawn Game Black resigns. }")


def test_the_opening_is_named_where_it_is_wanted(fake: FakeLichess, connect: Connect) -> None:
    anyone, ids = connect(fake, None), [fake.start_game("Alice", "Bobby"), fake.start_game("Alice", "Bobby")]
    play(fake, ids[0], "e2e4 c7c5")
    for game_id in ids:
        fake.player("Alice", game_id).resign()
    sicilian = {"eco": "B20", "name": "Sicilian Defense", "ply": 2}
    assert anyone.get(f"/game/export/{ids[0]}", headers=JSON).json()["opening"] == sicilian
    assert "opening" not in anyone.get(f"/game/export/{ids[0]}?opening=false", headers=JSON).json()
    assert "opening" not in anyone.get(f"/game/export/{ids[1]}", headers=JSON).json(), "no move, no opening"
    assert '[ECO "?"]\n[Opening "?"]' in anyone.get(f"/game/export/{ids[1]}").text
    listed = anyone.get("/api/games/user/alice?finished=true", headers=NDJSON).text.splitlines()
    assert all("opening" not in json.loads(line) for line in listed), "lists leave it out unless asked"
    assert '[Opening "Sicilian Defense"]' in anyone.get("/api/games/user/alice?opening=true").text
    plain = anyone.get("/api/games/user/alice").text
    assert ('[ECO "B20"]' in plain, "[Opening" in plain) == (True, False), "the code stays"


def test_what_an_export_leaves_out_on_request(fake: FakeLichess, connect: Connect) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(180, 0))
    play(fake, game_id, "e2e4 e7e5")
    fake.player("Alice", game_id).resign()
    anyone = connect(fake, None)
    assert anyone.get(f"/game/export/{game_id}?tags=false&clocks=false").text.strip() == "1. e4 e5 0-1"
    assert anyone.get(f"/game/export/{game_id}?moves=false").text.rstrip().endswith("0-1")
    assert "e4" not in anyone.get(f"/game/export/{game_id}?moves=false").text
    found = anyone.get(f"/game/export/{game_id}?moves=false&clocks=false&lastFen=true", headers=JSON).json()
    assert not {"moves", "clocks", "pgn"} & set(found)
    assert found["lastFen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8")


def test_the_computer_and_terminations_are_named_as_on_the_server(fake: FakeLichess, bot: Client) -> None:
    fields = {"level": 3, "color": "white", "clock.limit": 60, "clock.increment": 0}
    game_id = bot.post("/api/challenge/ai", data=fields).json()["id"]
    text = bot.get(f"/game/export/{game_id}").text
    assert '[Black "lichess AI level 3"]' in text
    assert '[Termination "Unterminated"]' in text
    bot.post(f"/api/bot/game/{game_id}/abort")
    assert '[Termination "Abandoned"]' in bot.get(f"/game/export/{game_id}").text
    flagged = fake.start_game("Alice", "bot88", clock=(0.05, 0))
    play(fake, flagged, "e2e4 e7e5")
    fake.wait_for_end(flagged)
    assert '[Termination "Time forfeit"]' in bot.get(f"/game/export/{flagged}").text


def test_games_are_exported_by_their_ids(fake: FakeLichess, connect: Connect) -> None:
    ids = [fake.start_game("Alice", "Bobby"), fake.start_game("Alice", "bot88")]
    anyone = connect(fake, None)
    text = anyone.post("/api/games/export/_ids", data=f"{ids[1]},nosuchid,{ids[0]}", headers=NDJSON).text
    assert [json.loads(line)["id"] for line in text.splitlines()] == [ids[1], ids[0]]
    assert anyone.post("/api/games/export/_ids", data=",".join(ids)).text.count("[Event ") == 2


def test_a_users_games_are_listed_and_filtered(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    over = fake.challenge("Random", "Greedy", clock=(60, 0))
    fake.wait_for_end(over)
    running = fake.start_game("Random", "Alice", rated=True)

    def ids(query: str) -> list[str]:
        text = anyone.get(f"/api/games/user/random?{query}", headers=NDJSON).text
        return [json.loads(line)["id"] for line in text.splitlines()]

    assert ids("") == [over]
    assert ids("ongoing=true") == [running, over]
    assert (
        ids("ongoing=true&finished=false")
        == ids("ongoing=true&vs=alice")
        == ids("ongoing=true&rated=true")
        == [running]
    )
    assert ids("ongoing=true&max=1") == [running]
    assert ids("color=black&vs=alice&ongoing=true") == []
    assert ids("ongoing=true&sort=dateAsc") == [over, running]
    assert ids("ongoing=true&perfType=blitz,rapid") == ids("analysed=true") == []
    assert ids("perfType=bullet") == [over]
    began = json.loads(anyone.get("/api/games/user/random", headers=NDJSON).text)["createdAt"]
    assert (ids(f"since={began}"), ids(f"since={began + 1}"), ids(f"until={began - 1}")) == ([over], [], [])
    assert anyone.get("/api/games/user/random").text.count("[Event ") == 1


def test_a_game_is_watched_from_its_first_position_to_its_end(fake: FakeLichess, connect: Connect) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(600, 0))
    fake.player("Alice", game_id).move("e2e4")
    stream = connect(fake, None).stream(f"/api/stream/game/{game_id}")
    stream.wait(lambda events: len(events) == 3)
    fake.player("bot88", game_id).move("e7e5")
    fake.player("bot88", game_id).resign()
    stream.wait_for_end()
    assert stream.error is None
    head, *lines, last = stream.events
    assert (head["id"], head["status"]["name"], last["status"]["name"]) == (game_id, "started", "resign")
    assert [line.get("lm") for line in lines][:3] == ["", "e2e4", "e7e5"]
    assert lines[2]["wc"] in (599, 600), "seconds, not milliseconds"


@pytest.mark.parametrize(
    ("clock", "days", "seconds"), [((60, 0), None, 3), ((600, 0), None, 10), ((10_800, 60), None, 60), (None, 2, 60)]
)
def test_spectators_see_a_game_late(fake: FakeLichess, clock: tuple[int, int], days: int, seconds: int) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=clock, days=days)
    assert fake.call(lambda: routes_games._delay_s(None, fake.world.game(game_id))) == seconds


def test_the_delay_holds_for_positions_and_the_end_but_not_for_the_page(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(spectator_delay_s=0.4)
    anyone = connect(fake, None)
    game_id = fake.start_game("Alice", "bot88", clock=(600, 0))
    fake.player("Alice", game_id).move("e2e4")
    path = f"/api/stream/game/{game_id}"
    late, page = anyone.stream(path), anyone.stream(path, **{"X-Requested-With": "fake-lichess-page"})
    page.wait(lambda events: len(events) == 3)
    assert [event.get("lm") for event in late.events[1:]] == [], "only the description is there"
    late.wait(lambda events: len(events) == 3)
    fake.player("bot88", game_id).move("e7e5")
    fake.player("bot88", game_id).resign()
    page.wait_for_end()
    assert len(late.events) == 3
    late.wait_for_end()
    assert late.events[-1]["status"]["name"] == "resign"
    assert late.events == page.events


def test_past_positions_come_with_the_clocks_of_their_time(fake: FakeLichess, connect: Connect) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(600, 5))
    for number, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
        fake.player(("Alice", "Bobby")[number % 2], game_id).move(uci)
    after = fake.game(game_id).clocks_ms
    stream = connect(fake, None).stream(f"/api/stream/game/{game_id}")
    lines = stream.wait(lambda found: found if len(found) >= 6 else None)[1:6]
    shown = [(line["lm"], line["wc"], line["bc"]) for line in lines]
    assert shown == [
        ("", 600, 600),
        ("e2e4", 600, 600),
        ("e7e5", 600, 600),
        ("g1f3", after[2] // 1000, 600),
        ("b8c6", after[2] // 1000, after[3] // 1000),
    ]


def test_the_record_between_two_players(fake: FakeLichess, connect: Connect) -> None:
    first, second = (fake.start_game(*pair) for pair in (("Alice", "bot88"), ("bot88", "Alice")))
    for game_id in (first, second):
        report = fake.game(game_id)
        fake.player(report.white, game_id).move("e2e4")
        fake.player(report.black, game_id).move("e7e5")
    fake.player("Alice", first).resign()
    fake.player("bot88", second).draw()
    fake.player("Alice", second).draw()
    table = connect(fake, None).get("/api/crosstable/alice/bot88").json()
    assert table == {"users": {"alice": 0.5, "bot88": 1.5}, "nbGames": 2}


def test_unknown_users_and_games_are_not_found(fake: FakeLichess, bot: Client) -> None:
    for path in (
        "/api/games/user/nobody",
        "/api/crosstable/nobody/bot88",
        "/api/stream/game/abcdefgh",
        "/game/export/abcdefgh",
    ):
        assert bot.get(path).status_code == 404


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


def test_games_between_users_are_reported_as_they_start_and_end(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    running = fake.start_game("Alice", "Bobby", clock=(300, 3))
    stream = follow(anyone, "/api/stream/games-by-users?withCurrentGames=true", "alice, Bobby,bot88")
    assert seen(stream, 1) == [(running, "started")]
    fake.start_game("Alice", "Fresh")
    begun = fake.start_game("bot88", "Alice", clock=(60, 0))
    assert seen(stream, 2)[1] == (begun, "started"), "one of the others is not in the list"
    play(fake, running, "e2e4 e7e5")
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
    assert error_of(anyone.post("/api/stream/games/other/add", data=second)) == (404, "Not found.")


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
    assert error_of(
        anyone.post("/api/stream/games-by-users", data=",".join(f"u{number}" for number in range(301)))
    ) == (400, "Too many ids: at most 300")


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
