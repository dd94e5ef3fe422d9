"""A seat in a game, to act for somebody from a test."""

from __future__ import annotations

import pytest

from bot.fake_lichess import FakeLichess


def test_waiting_ends_with_the_player_s_turn(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    white, black = fake.player("Alice", game_id), fake.player("Bobby", game_id)
    with pytest.raises(TimeoutError, match=f"not Bobby's turn in game {game_id}"):
        black.wait_for_turn(0.0)
    white.wait_for_turn().move("e2e4")
    black.wait_for_turn().move("e7e5")
    assert fake.game(game_id).moves == ("e2e4", "e7e5")


def test_nobody_has_the_turn_when_a_game_is_over(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    fake.player("Bobby", game_id).abort()
    with pytest.raises(TimeoutError):
        fake.player("Alice", game_id).wait_for_turn(0.0)
