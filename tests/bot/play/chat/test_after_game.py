"""Commands asked after the end are answered, each once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import NetworkError
from bot.events import ChatLine, Player
from bot.play.chat import after_game as after_game_module
from bot.play.chat import chatter
from bot.play.chat.after_game import MOST_GAMES, AfterGameChat
from bot.play.chat.chatter import Chatter
from bot.play.game import Game
from bot.play.levels import GameLevel
from bot.play.observer import EndedGame, GameChat
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import AI, OTHER, game, state
from tests.helpers.processes import wait_until


class Room:
    """The players' room of a game as the server gives it."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        self.reads = 0
        self.failing = False
        self.enough = threading.Event()

    def read(self, game_id: str) -> list[ChatLine]:
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


@pytest.fixture
def after_game(room: Room) -> Iterator[AfterGameChat]:
    """A reader that looks all the time."""
    one = AfterGameChat(room.read, every_s=0.01)
    yield one
    one.close()
    assert one._loop.join(30)


def finished(opponent: Player = OTHER) -> Game:
    """A game that has ended."""
    return game(state("e2e4 e7e5", status="resign", winner="white"), black=opponent)


def end(after_game: AfterGameChat, one: Game, heard: tuple[ChatLine, ...] = (), **chat: Any) -> GameHarness:
    """Let a game end in which these lines were heard."""
    harness = GameHarness(conduct={"chat": chat})
    level = GameLevel(harness.context.settings, harness.context.levels)
    chatter = Chatter("abcdefgh", harness.context, lambda: "Fake", level)
    for line in heard:
        chatter.answer(game(state("e2e4 e7e5")), line)
    chatter.end(one)
    after_game.ended(ended(one, chatter))
    return harness


def ended(one: Game, chat: GameChat) -> EndedGame:
    """The end of a game as observers learn of it."""
    return EndedGame("abcdefgh", one, chat)


def test_what_is_asked_after_the_end_is_answered_once(room: Room, after_game: AfterGameChat) -> None:
    early = ChatLine("Alice", "!name")
    room.lines = [early]
    harness = end(after_game, finished(), heard=(early,))
    room.lines.append(ChatLine("Alice", "!eval"))
    assert wait_until(lambda: ("chat", "player", "No evaluation yet.") in harness.server.said)
    reads = room.reads
    assert wait_until(lambda: room.reads > reads + 2)
    assert harness.server.count("chat") == 2  # the name during the game, the evaluation after it


class Listener:
    """The chat of a game, which notes what it is asked."""

    def __init__(self, game_id: str, *heard: ChatLine) -> None:
        self.game_id, self.heard = game_id, list(heard)
        self.asked: list[str] = []

    def answer(self, game: Game, line: ChatLine) -> None:
        """Note a line."""
        self.asked.append(line.text)

    def after_game_s(self, game: Game) -> float:
        """Be answered for a minute."""
        return 60.0


def test_a_line_counts_as_often_as_it_was_not_heard_during_the_game(room: Room, after_game: AfterGameChat) -> None:
    name = ChatLine("alice", "!name")
    room.lines = [name, ChatLine("Alice", "!name"), ChatLine("Alice", "!eval"), ChatLine("Alice", "!name")]
    listener = Listener("abcdefgh", name, name)
    after_game.ended(ended(finished(), listener))
    assert wait_until(lambda: room.reads > 2)
    assert listener.asked == ["!eval", "!name"]


def test_a_room_that_cannot_be_read_keeps_no_other_from_being_read() -> None:
    def read(game_id: str) -> list[ChatLine]:
        if game_id == "broken00":
            raise NetworkError("gone")
        return [ChatLine("Alice", "!eval")]

    after_game, listeners = AfterGameChat(read, every_s=0.01), [Listener("broken00"), Listener("abcdefgh")]
    for listener in listeners:
        after_game.ended(ended(finished(), listener))
    assert wait_until(lambda: listeners[1].asked == ["!eval"])
    after_game.close()
    assert after_game._loop.join(30)


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
    monkeypatch.setattr(after_game_module, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    idle = AfterGameChat(room.read, every_s=1000.0)
    end(idle, finished())
    assert [one.until_s for one in idle._games] == [1060.0]
    idle.close()
    assert idle._loop.join(30)


def test_the_oldest_games_give_way(room: Room) -> None:
    idle = AfterGameChat(room.read, every_s=1000.0)
    for _ in range(MOST_GAMES + 5):
        end(idle, finished())
    assert len(idle._games) == MOST_GAMES
    idle.close()
    assert idle._loop.join(30)
