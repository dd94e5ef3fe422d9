"""What anyone may read: exports, lists, watching, records between players."""

from __future__ import annotations

import io
import json

import chess.pgn

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect
from tests.helpers.lichess_client import Client

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


def test_a_running_game_is_shown_three_plies_late(fake: FakeLichess, connect: Connect) -> None:
    game_id = fake.start_game("Alice", "bot88")
    for name, uci in (("Alice", "e2e4"), ("bot88", "e7e5"), ("Alice", "g1f3"), ("bot88", "b8c6")):
        fake.player(name, game_id).move(uci)
    assert connect(fake, None).get(f"/game/export/{game_id}", headers=JSON).json()["moves"] == "e4"


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
    assert anyone.get("/api/games/user/random").text.count("[Event ") == 1


def test_running_games_are_found_in_channels(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    first, second = (
        fake.start_game("Alice", "bot88", clock=(180, 0)),
        fake.start_game("bot88", "OtherBot", clock=(60, 0)),
    )
    channels = anyone.get("/api/tv/channels").json()
    assert (channels["blitz"]["gameId"], channels["bullet"]["gameId"], channels["bot"]["gameId"]) == (
        first,
        second,
        second,
    )
    listed = [json.loads(line)["id"] for line in anyone.get("/api/tv/best").text.splitlines()]
    assert listed == [second, first]
    assert anyone.get("/api/tv/nonsense").status_code == 404


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
    assert lines[2]["wc"] == 600


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


def test_nobody_is_no_user(fake: FakeLichess, bot: Client) -> None:
    for path in (
        "/api/games/user/nobody",
        "/api/crosstable/nobody/bot88",
        "/api/stream/game/abcdefgh",
        "/game/export/abcdefgh",
    ):
        assert bot.get(path).status_code == 404
