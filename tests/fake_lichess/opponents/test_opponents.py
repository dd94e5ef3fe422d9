"""Opponents that the server plays."""

from __future__ import annotations

import random
import shlex
import sys
import time
from pathlib import Path

import chess
import psutil
import pytest

from bot.fake_lichess import Act, FakeLichess, Script
from bot.fake_lichess.config import ConfigError, FakeConfig
from bot.fake_lichess.opponents.base import pick_endless, pick_greedy, pick_random
from bot.fake_lichess.opponents.catalogue import Catalogue
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.variants import VARIANTS
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client
from tests.helpers.processes import is_running, wait_until

ENGINE = Path(__file__).parents[2] / "helpers" / "uci_engine.py"
CRASHES_AT_GO = """
for line in iter(input, ""):
    word = line.split()[0]
    if word == "go":
        raise SystemExit(1)
    if word in ("uci", "isready"):
        print({"uci": "uciok", "isready": "readyok"}[word], flush=True)
"""
MATE_IN_ONE = "7k/6pp/8/8/8/8/8/KR6 w - - 0 1"


def engine(behaviour: str) -> str:
    """The command of a small UCI engine."""
    return shlex.join([sys.executable, str(ENGINE), behaviour])


def answer(fake: FakeLichess, game_id: str, name: str, moves: str) -> None:
    """Play moves for one user, waiting for the other's in between."""
    for uci in moves.split():
        fake.wait_for(lambda: fake.game(game_id).over or to_move(fake, game_id) == name, what=f"the turn of {name}")
        if not fake.game(game_id).over:
            fake.player(name, game_id).move(uci)


def to_move(fake: FakeLichess, game_id: str) -> str:
    """Whose turn it is."""
    game = fake.game(game_id)
    return game.white if len(game.moves) % 2 == 0 else game.black


@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", {"a1a8"}),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", {"e4d5"}),
        ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", None),
    ],
)
def test_greedy_mates_takes_and_does_not_throw_away(fen: str, best: set[str] | None) -> None:
    board = chess.Board(fen)
    move = pick_greedy(board, random.Random(1)).uci()
    assert move in best if best else move != "d2d6"


def test_random_plays_every_legal_move_in_the_long_run() -> None:
    board = chess.Board("7k/8/6K1/8/8/8/8/6R1 b - - 0 1")
    rng = random.Random(2)
    assert {pick_random(chess.Board(), rng) for _ in range(500)} == set(chess.Board().legal_moves)
    assert pick_random(board, rng) in board.legal_moves


def test_the_same_seed_plays_the_same_game(make_fake: MakeFake) -> None:
    games = []
    for _ in range(2):
        fake = make_fake(seed=7)
        games.append(fake.wait_for_end(fake.challenge("Random", "Greedy", clock=(60, 0))).moves)
    assert games[0] == games[1]


def test_a_script_plays_its_moves_and_then_resigns(fake: FakeLichess, bot: Client) -> None:
    fake.add_account("Actor", script=Script(moves=("e7e5", "b8c6"), then="resign"))
    game_id = fake.challenge("bot88", "Actor", color="white", clock=(60, 0))
    fake.wait_for_game(game_id)
    answer(fake, game_id, "bot88", "e2e4 g1f3 f1c4")
    end = fake.wait_for_end(game_id)
    assert end.moves == ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4")
    assert (end.status, end.winner) == ("resign", "white")


def test_a_script_skips_what_the_rules_refuse(fake: FakeLichess) -> None:
    acts = (Act(ply=0, do="claim_win"), Act(ply=1, do="offer_draw"))
    fake.add_account("Actor", script=Script(moves=("e7e4", "zzzz", "e7e5"), then="idle", acts=acts))
    game_id = fake.challenge("bot88", "Actor", color="white", clock=(60, 0))
    fake.wait_for_game(game_id)
    answer(fake, game_id, "bot88", "e2e4")
    assert fake.wait_for_moves(game_id, 2).moves == ("e2e4", "e7e5")


def test_a_played_bot_declines_beyond_its_daily_games(make_fake: MakeFake) -> None:
    fake = make_fake(rate_limits=True, bot_games_per_day=1)
    fake.add_account("Robot", title="BOT", opponent="random")
    terms = Terms(VARIANTS["standard"], TimeControl(60_000))

    def send_both() -> list[str]:
        robot = fake.world.account("Robot")
        return [fake.lobby.send(fake.world.account(name), robot, terms).id for name in ("bot88", "OtherBot")]

    first, second = fake.call(send_both)
    fake.wait_for(lambda: "created" not in (fake.challenge_status(first), fake.challenge_status(second)))
    assert [fake.challenge_status(one) for one in (first, second)] == ["accepted", "declined"]


def test_a_script_offers_chats_leaves_and_comes_back(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(claim_after_s=60.0)
    bot = connect(fake, "bot88")
    acts = (
        Act(ply=2, do="offer_draw"),
        Act(ply=2, do="chat", text="how about a draw"),
        Act(ply=4, do="leave"),
        Act(ply=4, do="come_back", after_s=0.05),
        Act(ply=6, do="offer_takeback"),
        Act(ply=6, do="give_time", seconds=5),
        Act(ply=8, do="resign"),
    )
    fake.add_account("Actor", script=Script(acts=acts, moves=("a7a6", "h7h6", "a6a5", "h6h5")))
    game_id = fake.challenge("bot88", "Actor", color="white", clock=(600, 0))
    fake.wait_for_game(game_id)
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    answer(fake, game_id, "bot88", "a2a3 h2h3 a3a4")
    fake.wait_for(lambda: to_move(fake, game_id) == "bot88")
    stream.wait(lambda events: any(event.get("btakeback") for event in events))
    bot.post(f"/api/bot/game/{game_id}/takeback/no")
    stream.wait(lambda events: {"type": "opponentGone", "gone": False} in events)
    answer(fake, game_id, "bot88", "h3h4")
    assert fake.wait_for_end(game_id).status == "resign"
    stream.wait_for_end()
    events = stream.events
    assert any(event.get("bdraw") for event in events)
    assert any(event["type"] == "chatLine" and event["text"] == "how about a draw" for event in events)
    assert any(event["type"] == "opponentGone" and event["gone"] for event in events)
    assert max(event.get("wtime", 0) for event in events) > 600_000


@pytest.mark.parametrize(("reply", "status"), [("accept", "draw"), ("decline", "started")])
def test_a_script_answers_a_draw_offer(fake: FakeLichess, reply: str, status: str) -> None:
    script = Script(draw=reply, moves=("e7e5",), then="idle")  # type: ignore[arg-type]  # one of the replies
    fake.add_account("Actor", script=script)
    game_id = fake.challenge("bot88", "Actor", color="white", clock=(600, 0))
    fake.wait_for_game(game_id)
    answer(fake, game_id, "bot88", "e2e4 g1f3")
    fake.player("bot88", game_id).draw()
    fake.wait_for(lambda: fake.call(lambda: not fake.world.game(game_id).players[chess.WHITE].offers_draw))
    assert fake.game(game_id).status == status


def test_a_script_declines_or_ignores_a_challenge(fake: FakeLichess) -> None:
    fake.add_account("Proud", script=Script(challenge="tooFast"))
    fake.add_account("Deaf", script=Script(challenge="ignore"))
    proud, deaf = fake.challenge("bot88", "Proud"), fake.challenge("bot88", "Deaf")
    fake.wait_for(lambda: fake.challenge_status(proud) == "declined")
    assert fake.challenge_status(deaf) == "created"


def test_a_script_wants_a_rematch(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    fake.add_account("Actor", script=Script(then="resign", rematch=True))
    game_id = fake.challenge("bot88", "Actor", color="white")
    fake.wait_for_game(game_id)
    answer(fake, game_id, "bot88", "e2e4")
    offered = events.wait(lambda seen: [e for e in seen if e["type"] == "challenge" and "rematchOf" in e["challenge"]])
    assert offered[0]["challenge"]["rematchOf"] == game_id


def test_a_script_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "script.yml"
    path.write_text("moves: [e2e4]\nacts: [{ply: 3, do: resign}]\n", encoding="utf-8")
    assert Catalogue(FakeConfig()).named(f"scripted:{path}")
    path.write_text("moves: [e2e4]\nacts: [{ply: 3, do: sing}]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"script\.yml: acts\.0\.do"):
        Catalogue(FakeConfig()).named(f"scripted:{path}")


def test_an_engine_plays_and_its_process_ends_with_the_game(fake: FakeLichess) -> None:
    fake.add_account("Machine", opponent=f"engine8:{engine('good')}")
    game_id = fake.challenge("Machine", "Random", clock=(60, 0), color="white")
    fake.wait_for_moves(game_id, 3)
    pids = [child.pid for child in psutil.Process().children(recursive=True) if str(ENGINE) in child.cmdline()]
    assert pids
    assert fake.wait_for_end(game_id, 120).status != "resign"
    assert wait_until(lambda: not any(map(is_running, pids)))


def test_a_crashed_engine_resigns(fake: FakeLichess) -> None:
    fake.add_account("Machine", opponent=f"engine8:{shlex.join([sys.executable, '-c', CRASHES_AT_GO])}")
    game_id = fake.start_game("bot88", "Machine", clock=(60, 0))
    answer(fake, game_id, "bot88", "e2e4")
    end = fake.wait_for_end(game_id)
    assert end.status in ("resign", "aborted")


def test_stopping_the_server_stops_its_engines(fake: FakeLichess) -> None:
    fake.add_account("Machine", opponent=f"engine8:{engine('think')} --think-ms 60000")
    game_id = fake.challenge("Machine", "bot88", clock=(600, 0), color="white")
    fake.accept("bot88", game_id)

    def engines() -> list[int]:
        return [child.pid for child in psutil.Process().children(recursive=True) if str(ENGINE) in child.cmdline()]

    pids = fake.wait_for(engines, what="the engine's process")
    fake.stop()
    assert wait_until(lambda: not any(map(is_running, pids)))


def test_the_computer_by_an_engine(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(ai_engine=engine("good"), ai_move_delay_s=0.0)
    fields = {"clock.limit": 180, "clock.increment": 2, "level": 5, "color": "black"}
    game_id = connect(fake, "bot88").post("/api/challenge/ai", data=fields).json()["id"]
    assert fake.wait_for_moves(game_id, 1).white == "Stockfish level 5"


@pytest.mark.parametrize("text", ["kasparov", "engine9:x", "engine:", "scripted:/no/such/file", ""])
def test_an_unknown_opponent_is_reported(text: str) -> None:
    with pytest.raises(ValueError, match=r"unknown opponent|script|command is missing"):
        Catalogue(FakeConfig()).named(text)


def test_a_chain_of_rematches_ends(fake: FakeLichess) -> None:
    for name in ("Again", "Agreed"):
        fake.add_account(name, script=Script(then="resign", rematch=2))
    fake.challenge("Again", "Agreed", clock=(60, 0))
    fake.wait_for(lambda: len(fake.games()) == 3 and all(game.over for game in fake.games()), what="three games")
    time.sleep(0.2)
    assert len(fake.games()) == 3


def test_an_endless_game_is_not_ended_by_mate() -> None:
    board = chess.Board(MATE_IN_ONE)
    picked = {pick_endless(board, random.Random(seed)).uci() for seed in range(200)}
    assert "b1b8" not in picked
    assert len(picked) == board.legal_moves.count() - 1
    assert "b1b8" in {pick_random(board, random.Random(seed)).uci() for seed in range(200)}


def test_nor_by_a_third_repetition() -> None:
    board = chess.Board()
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(uci)
    board.pop()  # f6g8 would be the third time
    assert all(pick_endless(board, random.Random(seed)).uci() != "f6g8" for seed in range(100))
    assert len(board.move_stack) == 7


def test_where_every_move_ends_it_one_is_played() -> None:
    bare = chess.Board("k7/8/K7/8/8/8/8/8 w - - 0 1")
    assert pick_endless(bare, random.Random(1)) in bare.legal_moves
