"""Wishes are remembered for a while."""

from __future__ import annotations

from bot.play.levels import MOST_USERS, REMEMBER_S, LevelMemory


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
    clock.now_s = 0.9 * REMEMBER_S
    alice = memory.recall("alice")
    assert alice is not None
    assert alice.elo == 1600
    clock.now_s = 1.8 * REMEMBER_S
    assert memory.recall("alice") is not None
    assert memory.recall("bob") is None
    clock.now_s = 2.8 * REMEMBER_S
    assert memory.recall("alice") is not None
    clock.now_s = 3.81 * REMEMBER_S
    assert memory.recall("alice") is None


def test_full_strength_is_a_wish_and_nobody_has_none() -> None:
    memory = LevelMemory()
    memory.remember("alice", None)
    asked = memory.recall("alice")
    assert asked is not None
    assert asked.elo is None
    memory.remember("", 1600)
    assert memory.recall("") is None


def test_the_oldest_wishes_give_way() -> None:
    memory = LevelMemory()
    for number in range(MOST_USERS + 1):
        memory.remember(f"user{number}", 1600)
    assert memory.recall("user0") is None
    assert memory.recall("user1") is not None
    assert memory.recall(f"user{MOST_USERS}") is not None
