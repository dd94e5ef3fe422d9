"""Texts are filled in, and broken between words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.play.chat.texts import fill, lines_of
from bot.settings import MAX_CHARACTERS, MAX_LINES


def test_texts_are_filled_in() -> None:
    assert fill("Hi {opponent},  I am {me}{engine}.", {"opponent": "Alice", "me": "bot88"}) == "Hi Alice, I am bot88."
    assert fill("{me}", {"me": "{opponent}", "opponent": "no"}) == "{opponent}"  # a name is never filled in again


def test_a_long_text_is_split_between_words() -> None:
    text = "word " * 60
    lines = lines_of(text, split=True)
    assert len(lines) == 3
    assert all(line.endswith("word") for line in lines)
    assert " ".join(lines).split() == text.split()


def test_a_long_text_is_cut_between_words_where_it_may_not_be_split() -> None:
    assert lines_of("word " * 60, split=False) == ["word " * 27 + "word…"]
    assert lines_of("x" * 200, split=False) == ["x" * 139 + "…"]
    assert lines_of("short", split=False) == ["short"]
    assert lines_of("", split=True) == []
    full = "word " * 27 + "word"
    assert lines_of("word " * 100, split=True) == [full, full, full + "…"]


@given(st.text(), st.booleans())
def test_no_line_is_longer_than_the_server_takes(text: str, split: bool) -> None:
    lines = lines_of(fill(text, {}), split=split)
    assert len(lines) <= (MAX_LINES if split else 1)
    assert all(0 < len(line) <= MAX_CHARACTERS for line in lines)
