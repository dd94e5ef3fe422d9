"""Texts are filled in, and broken between words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.play.chat.lines import fill, lines_of
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
