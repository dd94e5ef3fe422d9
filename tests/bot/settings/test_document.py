"""Lines of keys and entries, and errors in files that are not YAML."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings.document import Document, Place, read_document

TEXT = """
first: 1
section:
  inner: x
  list:
    - a
    - deep: 1
5: number
"""


def test_each_key_and_entry_has_its_line() -> None:
    document = read_document(TEXT, "f.yml")
    assert document.data == {"first": 1, "section": {"inner": "x", "list": ["a", {"deep": 1}]}, 5: "number"}
    assert document.lines == {
        ("first",): 2,
        ("section",): 3,
        ("section", "inner"): 4,
        ("section", "list"): 5,
        ("section", "list", 0): 6,
        ("section", "list", 1): 7,
        ("section", "list", 1, "deep"): 7,
        ("5",): 8,
    }


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("section", "inner"), 4),
        (("section", "gone"), 3),
        (("section", "list", 1, "deep", "deeper"), 7),
        (("gone", "too"), 1),
        ((), 1),
    ],
)
def test_what_is_not_in_the_file_has_the_line_of_what_it_would_be_in(place: tuple[str | int, ...], line: int) -> None:
    assert read_document(TEXT, "f.yml").line_of(place) == line


@pytest.mark.parametrize(
    ("place", "source"),
    [
        (("clock", "ponder"), "CLOCK_PONDER"),
        (("clock", "ponder", "x"), "CLOCK_PONDER"),
        (("clock", "first"), "f.yml:2"),
        (("clock",), "f.yml:1 and CLOCK_PONDER"),
        (("log", "level"), "LOG"),
        (("store",), "STORE_A and STORE_B"),
        (("gone",), "f.yml:1"),
        ((), "f.yml:1 and CLOCK_PONDER and LOG and STORE_A and STORE_B"),
    ],
)
def test_where_a_value_was_written(place: tuple[str | int, ...], source: str) -> None:
    variables: dict[Place, str] = {
        ("clock", "ponder"): "CLOCK_PONDER",
        ("log",): "LOG",
        ("store", "a"): "STORE_A",
        ("store", "b"): "STORE_B",
    }
    document = Document({}, {("clock",): 1, ("clock", "first"): 2}, variables)
    assert document.source_of(place, "f.yml") == source


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: {c: 1,\n  c: 2}", "f.yml:3: b.c: duplicate key, first in line 2; remove one"),
        ("5: 1\n5: 2", "f.yml:2: 5: duplicate key"),
        ("a:\n- b: 1\n  b: 2", "f.yml:3: a.0.b: duplicate key"),
        ("a: 1\nb: [\n", "f.yml:3: this is not YAML: "),
        ("a: 1\nb: *gone", "f.yml:2: this is not YAML: found undefined alias"),
        ("clock:\n\tponder: true", "f.yml:2: a tab; indent with spaces"),
        ("a:\n  b: 1\n c: 2", "f.yml:3: wrong indentation: the keys of a section must begin in the same column"),
        ("a:\n  b: 1\n   c: 2", "f.yml:3: wrong indentation, no colon in the line above, or a colon in text without"),
        ("greeting: Hi: all", "f.yml:1: wrong indentation, no colon in the line above, or a colon in text without"),
        ("a: 1\nb 2\n", "f.yml:3: this is not a line of the form `key: value`, or a quote is not closed"),
        ("a: 1\n---\nb: 2", "f.yml:2: this is not YAML: but found another document"),
        ("a: \x07", "f.yml:1: this is not YAML: "),
        ("a: 2026-13-45", "f.yml:1: this is not YAML: "),
        ("words", "f.yml:1: the file must consist of `key: value` lines, not str"),
        ("5", "f.yml:1: the file must consist of `key: value` lines, not int"),
    ],
)
def test_what_cannot_be_read_has_a_line(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        read_document(text, "f.yml")
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "# a comment\n"])
def test_an_empty_file_has_no_keys(text: str) -> None:
    assert read_document(text, "f.yml") == Document({}, {})


def test_merged_keys_are_no_key_twice() -> None:
    document = read_document("base: &b {x: 1}\nmore: &m {y: 2}\nuse:\n  <<: *b\n  z: 3", "f.yml")
    assert document.data["use"] == {"x": 1, "z": 3}
    assert read_document("a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b", "f.yml").data["c"] == {"x": 1, "y": 2}
