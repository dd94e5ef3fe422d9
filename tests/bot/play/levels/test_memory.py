"""Wishes are remembered for a while."""

from __future__ import annotations

from bot.play.levels.memory import MOST_USERS, LevelMemory


class Clock:
    """A watch that the test turns."""

    now_s = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now_s


def test_a_wish_holds_for_a_while_after_the_latest_game() -> None:
    clock = Clock()
    memory = LevelMemory(clock)
    memory.remember("alice", 1600)
    memory.remember("bob", None)
    clock.now_s = 90.0
    alice = memory.recall("alice", 100.0)
    assert alice is not None
    assert alice.elo == 1600
    clock.now_s = 180.0
    assert memory.recall("alice", 100.0) is not None
    assert memory.recall("bob", 100.0) is None
    clock.now_s = 280.0
    assert memory.recall("alice", 100.0) is not None
    clock.now_s = 381.0
    assert memory.recall("alice", 100.0) is None


def test_full_strength_is_a_wish_and_nobody_has_none() -> None:
    memory = LevelMemory()
    memory.remember("alice", None)
    asked = memory.recall("alice", 100.0)
    assert asked is not None
    assert asked.elo is None
    memory.remember("", 1600)
    assert memory.recall("", 100.0) is None


def test_the_oldest_wishes_give_way() -> None:
    memory = LevelMemory()
    for number in range(MOST_USERS + 1):
        memory.remember(f"user{number}", 1600)
    assert memory.recall("user0", 100.0) is None
    assert memory.recall("user1", 100.0) is not None
    assert memory.recall(f"user{MOST_USERS}", 100.0) is not None
