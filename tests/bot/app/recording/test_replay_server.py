"""What the server and the engine of a replay answer."""

from __future__ import annotations

import queue

import chess
import chess.engine
import pytest

from bot.app.recording.record import Entry, Record
from bot.app.recording.replay_script import ReplayScript
from bot.app.recording.replay_server import ReplayEngine, ReplayServer
from bot.engine_pool import Answer


def thought(move: str) -> Entry:
    """What the engine answered at the start of the game."""
    return Entry(0.0, "think", {"ply": 0, "move": move, "engine": "tiny"})


@pytest.mark.parametrize(
    ("recorded", "replayed"), [(["e2e4"], ["e2e4"] * 3), (["e2e4", "d2d4"], ["e2e4", "d2d4", "d2d4"])]
)
def test_answers_come_in_their_order_and_the_last_one_again(recorded: list[str], replayed: list[str]) -> None:
    told: list[str] = []
    record = Record("abcdefgh", "bot88", tuple(thought(move) for move in recorded))
    script = ReplayScript(record, lambda _seconds, text: told.append(text))
    engine = ReplayEngine(record, lambda _seconds, text: told.append(text), script)
    answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
    found = []
    for _ in replayed:
        engine.play(chess.Board(), chess.engine.Limit(), ponder=False, on_done=answers.put)
        found.append(str(answers.get(timeout=60.0).move))
    assert (found, told) == (replayed, [])


def test_a_move_offers_a_draw_only_where_it_is_said() -> None:
    told: list[str] = []
    record = Record("abcdefgh", "bot88", (thought("e2e4"),))
    server = ReplayServer(ReplayScript(record, lambda _seconds, text: told.append(text)), lambda _seconds, _text: None)
    server.post_move("abcdefgh", "e2e4")
    server.post_move("abcdefgh", "d2d4", True)
    assert [line.split()[1] for line in told] == ["move/e2e4", "move/d2d4?offeringDraw=true"]
