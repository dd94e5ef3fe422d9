"""Lines of chat: filled in, split or cut, and no more than the server takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.play.chat.chatter import MAX_ANSWERS, MAX_ANSWERS_PER_USER, FloodGuard, fill, lines_of
from bot.settings import MAX_CHARACTERS, MAX_LINES


def test_texts_are_filled_in() -> None:
    assert fill("Hi {opponent},  I am {me}{engine}.", {"opponent": "Alice", "me": "bot88"}) == "Hi Alice, I am bot88."
    assert fill("{me}", {"me": "{opponent}", "opponent": "no"}) == "{opponent}"  # a name is never filled in again


def test_a_long_text_is_split_between_words() -> None:
    text = "word " * 60
    lines = lines_of(text)
    assert len(lines) == 3
    assert all(line.endswith("word") for line in lines)
    assert " ".join(lines).split() == text.split()


def test_an_address_is_not_broken_at_its_hyphens() -> None:
    address = "https://example.org/how-the-bot-plays"
    assert lines_of("word " * 22 + address)[-1] == address


def test_what_three_lines_cannot_hold_is_cut() -> None:
    assert lines_of("x" * 500) == ["x" * 140, "x" * 140, "x" * 139 + "…"]
    assert lines_of("short") == ["short"]
    assert lines_of("") == []
    full = "word " * 27 + "word"
    assert lines_of("word " * 100) == [full, full, full + "…"]


@given(st.text())
def test_no_line_is_longer_than_the_server_takes(text: str) -> None:
    lines = lines_of(fill(text, {}))
    assert len(lines) <= MAX_LINES
    assert all(0 < len(line) <= MAX_CHARACTERS for line in lines)


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
