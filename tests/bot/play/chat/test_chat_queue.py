"""Chat is dropped when late; commands asked after the end of a game are answered, each once."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.errors import NetworkError, RateLimited, Rejected
from bot.events.game import ChatLine, Player
from bot.play.chat import chat_queue, chatter
from bot.play.chat.chat_queue import EASY_GAMES, MOST_GAMES, AfterGameChat, ChatQueue, WatchedGame
from bot.play.chat.chatter import Chatter
from bot.play.game import Game
from tests.helpers.ending import closed_at_end
from tests.helpers.game_harness import GameHarness, level_of
from tests.helpers.games import AI, OTHER, game, state
from tests.helpers.processes import wait_until


def queue_of(post: Callable[..., None]) -> ChatQueue:
    """The chat of a server that takes lines like this."""
    return closed_at_end(ChatQueue(cast("Any", SimpleNamespace(chat=post))))


def test_an_exception_does_not_end_the_chat() -> None:
    done: list[str] = []

    def fail_first(*words: str) -> None:
        done.append(" ".join(words))
        if len(done) == 1:
            raise RecursionError("nested too deep")

    with capture_logs():
        chat = queue_of(fail_first)
        for text in ("hello", "again"):
            chat.say("abcdefgh", "player", text)
        assert wait_until(lambda: done == ["abcdefgh player hello", "abcdefgh player again"])


def test_chat_is_tried_once_and_dropped_if_too_long_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, said = threading.Event(), list[str]()

    def post(_game_id: str, _room: str, text: str) -> None:
        gate.wait(30)
        said.append(text)
        if text == "fails":
            raise RateLimited(60.0)

    queue = queue_of(post)
    assert queue.say("abcdefgh", "player", "fails")
    accepted = sum(queue.say("abcdefgh", "player", f"line {n}") for n in range(chat_queue.CHAT_BACKLOG + 5))
    assert chat_queue.CHAT_BACKLOG - 1 <= accepted <= chat_queue.CHAT_BACKLOG + 1
    gate.set()
    assert wait_until(lambda: len(said) == accepted + 1)
    monkeypatch.setattr(chat_queue, "CHAT_MAX_AGE_S", -1.0)
    queue.say("abcdefgh", "player", "too old")
    queue.close()
    assert wait_until(lambda: not queue._loop.running)
    assert "too old" not in said


def test_an_old_or_refused_line_does_not_affect_others(monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]) -> None:
    now_s, begun, gate, said = [0.0], threading.Event(), threading.Event(), list[str]()
    monkeypatch.setattr(chat_queue, "time", SimpleNamespace(monotonic=lambda: now_s[0]))

    def post(_game_id: str, _room: str, text: str) -> None:
        begun.set()
        gate.wait(30)
        said.append(text)
        if text == "refused":
            raise Rejected(400, "not in this room")

    queue = queue_of(post)
    assert queue.say("abcdefgh", "player", "slow")
    assert begun.wait(30)
    for at_s, text in ((0.0, "old"), (1.0, "in time"), (1.0, "refused"), (1.0, "last")):
        now_s[0] = at_s
        assert queue.say("abcdefgh", "player", text)
    now_s[0] = 1.0 + chat_queue.CHAT_MAX_AGE_S
    gate.set()
    assert wait_until(lambda: len(said) == 4)
    queue.close()
    assert wait_until(lambda: not queue._loop.running)
    assert said == ["slow", "in time", "refused", "last"]
    assert [line["log_level"] for line in logs if line["event"] == "chat_not_sent"] == ["info"]
    assert "background_fault" not in [line["event"] for line in logs]


def test_closing_with_a_full_backlog_does_not_wait(logs: list[EventDict]) -> None:
    gate, begun = threading.Event(), threading.Event()

    def post(*_: str) -> None:
        begun.set()
        gate.wait(30)

    queue = queue_of(post)
    assert queue.say("abcdefgh", "player", "first")
    assert begun.wait(30)  # the thread is busy: it takes nothing more out of the backlog
    while queue.say("abcdefgh", "player", "line"):
        pass
    queue.close()
    assert "chat_backlog_dropped" in [line["event"] for line in logs]
    gate.set()
    assert wait_until(queue._queue.empty)
    queue.close()
    assert wait_until(lambda: not queue._loop.running)


class Room:
    """The players' room of a game as the server gives it."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        self.reads = 0
        self.failing = False

    def read_chat(self, game_id: str) -> list[ChatLine]:
        """Read it."""
        assert game_id == "abcdefgh"
        self.reads += 1
        if self.failing:
            raise NetworkError("gone")
        return list(self.lines)


@pytest.fixture
def room() -> Room:
    """An empty room."""
    return Room()


def reader_of(server: object, every_s: float = 0.01) -> AfterGameChat:
    """A reader of a server's rooms; it looks all the time."""
    return closed_at_end(AfterGameChat(cast("Any", server), every_s))


@pytest.fixture
def after_game(room: Room) -> AfterGameChat:
    """A reader of the room."""
    return reader_of(room)


def finished(opponent: Player = OTHER) -> Game:
    """A game that has ended."""
    return game(state("e2e4 e7e5", status="resign", winner="white"), black=opponent)


def end(after_game: AfterGameChat, one: Game, heard: tuple[ChatLine, ...] = (), **chat: Any) -> GameHarness:
    """Let a game end in which these lines were heard."""
    harness = GameHarness(conduct={"chat": chat})
    harness.context.chat.after_game = after_game
    chat_of = Chatter("abcdefgh", harness.context, level_of(harness))
    for line in heard:
        chat_of.answer(game(state("e2e4 e7e5")), line)
    chat_of.end(one)
    return harness


def test_what_is_asked_after_the_end_is_answered_once(room: Room, after_game: AfterGameChat) -> None:
    early = ChatLine("Alice", "!name")
    room.lines = [early]
    harness = end(after_game, finished(), heard=(early,))
    room.lines.append(ChatLine("Alice", "!eval"))
    assert wait_until(lambda: ("chat", "player", "No evaluation yet.") in harness.server.said)
    reads = room.reads
    assert wait_until(lambda: room.reads > reads + 2)
    assert harness.server.count("chat") == 2  # the name during the game, the evaluation after it


def test_a_line_counts_as_often_as_it_was_not_heard_during_the_game(room: Room, after_game: AfterGameChat) -> None:
    name, asked = ChatLine("alice", "!name"), list[ChatLine]()
    room.lines = [name, ChatLine("Alice", "!name"), ChatLine("Alice", "!eval"), ChatLine("Alice", "!name")]
    after_game.watch("abcdefgh", asked.append, 60.0, [name, name])
    assert wait_until(lambda: room.reads > 2)
    assert [line.text for line in asked] == ["!eval", "!name"]


def test_a_room_that_cannot_be_read_keeps_no_other_from_being_read() -> None:
    def read(game_id: str) -> list[ChatLine]:
        if game_id == "broken00":
            raise NetworkError("gone")
        return [ChatLine("Alice", "!eval")]

    asked = list[ChatLine]()
    after_game = reader_of(SimpleNamespace(read_chat=read))
    for game_id in ("broken00", "abcdefgh"):
        after_game.watch(game_id, asked.append, 60.0)
    assert wait_until(lambda: [line.text for line in asked] == ["!eval"])


def test_a_room_that_cannot_be_read_is_read_again(room: Room, after_game: AfterGameChat) -> None:
    room.failing = True
    harness = end(after_game, finished())
    assert wait_until(lambda: room.reads > 1)
    room.lines.append(ChatLine("Alice", "!name"))
    room.failing = False
    assert wait_until(lambda: ("chat", "player", "I am bot88, a bot.") in harness.server.said)


def test_reading_ends_when_the_time_is_up(after_game: AfterGameChat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chatter, "AFTER_GAME_S", 0.05)
    end(after_game, finished())
    assert wait_until(lambda: not after_game._games)


@pytest.mark.parametrize(
    ("opponent", "chat"),
    [
        (Player("robot", "Robot", "BOT"), {}),
        (AI, {}),
        (Player("alice", "Alice"), {"player_commands": []}),
    ],
)
def test_rooms_where_nobody_is_answered_are_not_read(
    after_game: AfterGameChat, opponent: Player, chat: dict[str, Any]
) -> None:
    end(after_game, finished(opponent), **chat)
    assert not after_game._games


def test_a_room_is_read_for_a_minute(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_queue, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    idle = reader_of(room, every_s=1000.0)
    end(idle, finished())
    assert [one.until_s for one in idle._games] == [1060.0]


@pytest.mark.parametrize(("games", "pause_s"), [(1, 10.0), (EASY_GAMES, 10.0), (2 * EASY_GAMES, 20.0)])
def test_many_rooms_are_read_less_often(games: int, pause_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    after_game = reader_of(SimpleNamespace(read_chat=lambda _game_id: []), every_s=10.0)
    after_game._games = [WatchedGame(f"game{n:04}", lambda _: None, math.inf, Counter()) for n in range(games)]
    pauses = list[float]()

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) == 3

    monkeypatch.setattr(after_game._loop, "wait", wait)
    after_game._work()
    assert pauses == [pause_s] * 3


def test_no_room_is_read_after_the_end() -> None:
    read = list[str]()

    def read_chat(game_id: str) -> list[ChatLine]:
        read.append(game_id)
        reader.close()
        return []

    reader = reader_of(SimpleNamespace(read_chat=read_chat))
    reader._games = [WatchedGame(f"game{n:04}", lambda _: None, math.inf, Counter()) for n in range(3)]
    reader._work()
    assert read == ["game0000"]


def test_the_oldest_games_give_way(room: Room) -> None:
    idle = reader_of(room, every_s=1000.0)
    for _ in range(MOST_GAMES + 5):
        end(idle, finished())
    assert len(idle._games) == MOST_GAMES
