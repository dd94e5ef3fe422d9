"""No more is said than the server takes."""

from __future__ import annotations

from bot.play.chat.lines import MAX_ANSWERS, MAX_ANSWERS_PER_USER, FloodGuard


def test_four_lines_in_ten_seconds_are_taken_in_each_room() -> None:
    guard = FloodGuard()
    assert [guard.takes("player", [f"line {number}"], 100.0 + number) for number in range(5)] == [True] * 4 + [False]
    assert guard.takes("spectator", ["line"], 104.0)
    assert not guard.takes("player", ["line 5"], 110.5)  # the server's watch may be a little behind
    assert guard.takes("player", ["line 5"], 111.5)
    assert not guard.takes("player", ["6", "7"], 111.6)  # what does not fit as a whole is not begun


def test_a_line_like_one_of_the_last_two_is_not_sent_again() -> None:
    guard = FloodGuard()
    assert guard.takes("player", ["a"], 0.0)
    assert guard.takes("player", ["b"], 20.0)
    assert not guard.takes("player", ["a"], 40.0)
    assert guard.takes("player", ["c"], 60.0)
    assert guard.takes("player", ["a"], 80.0)


def test_each_user_is_answered_so_often_and_all_together_too() -> None:
    guard = FloodGuard()
    asked = [guard.may_answer(name) for name in ("Alice", "alice", "ALICE") * 4]
    assert asked == [True] * MAX_ANSWERS_PER_USER + [False] * 2
    assert guard.may_answer("bob")
    many = FloodGuard()
    assert sum(many.may_answer(f"user{number}") for number in range(100)) == MAX_ANSWERS
