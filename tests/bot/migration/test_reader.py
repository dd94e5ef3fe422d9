"""Reading another bot's file key by key: what is of another type is refused, what nobody asked for is noted."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import ConfigurationError
from bot.migration.reader import Section
from tests.bot.migration.test_common import section


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        ("flag", "true", True),
        ("flag", "", False),
        ("whole", "7", 7),
        ("whole", "", None),
        ("number", "1.5", 1.5),
        ("number", "7", 7),
        ("text", "abc", "abc"),
        ("text", "7", "7"),
        ("text", "0", ""),
        ("text", "", ""),
        ("texts", "[a, 7, null]", ["a", "7"]),
        ("texts", "a", ["a"]),
        ("items", "[1, x]", [1, "x"]),
        ("items", "0", [0]),
        ("items", "", []),
    ],
)
def test_a_value_of_its_type(read: str, text: str, value: object) -> None:
    one, notes = section(f"key: {text}")
    assert getattr(one, read)("key") == value
    one.close()
    assert notes == []


@pytest.mark.parametrize(
    ("read", "text", "problem"),
    [
        ("flag", "1", "must be true or false"),
        ("whole", "1.5", "must be a whole number"),
        ("whole", "true", "must be a whole number"),
        ("number", "x", "must be a number"),
        ("number", "false", "must be a number"),
        ("text", "[a]", "must be text"),
        ("text", "true", "must be text"),
        ("texts", "{a: 1}", "must be a list"),
        ("items", "[{a: 1}]", "must be a list of words or numbers"),
        ("items", "[[a]]", "must be a list of words or numbers"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_line(read: str, text: str, problem: str) -> None:
    one = section(f"first: 1\nkey: {text}")[0]
    with pytest.raises(ConfigurationError) as refused:
        getattr(one, read)("key")
    assert str(refused.value) == f"x.yml:2: key: {problem}; correct it first"


def test_a_section_knows_what_is_written_and_what_has_a_value() -> None:
    one = section("{a: 1, b: null, 3: c}")[0]
    assert ("a" in one, "b" in one, "c" in one) == (True, False, False)
    assert (one.has("a"), one.has("b"), one.has("c")) == (True, True, False)
    assert one.keys() == ["a", "3"]
    assert one.section("c").keys() == []


def test_a_flag_that_is_not_given_is_its_default() -> None:
    one = section("{a: true, b: false}")[0]
    assert [one.flag(key, default=True) for key in ("a", "b", "gone")] == [True, False, True]


def test_a_key_that_nobody_asked_for_is_noted_with_its_place() -> None:
    one, notes = section("outer:\n  a: 1\n  b:\n  c: {d: 1}\n  e: [x]\n  f: ''\n  g: []\n  h: {}\n")
    below = one.section("outer")
    below.section("c").plain()
    below.close()
    one.close()
    assert notes == ["x.yml:2: outer.a: has no equivalent here", "x.yml:5: outer.e: has no equivalent here"]


def test_plain_values_are_taken_and_the_others_noted() -> None:
    one, notes = section("{a: 1, b: x, c: true, d: [1], e: 1.5}")
    assert one.plain() == {"a": 1, "b": "x", "c": True, "e": 1.5}
    one.close()
    assert notes == ["x.yml:1: d: has no equivalent here"]


@pytest.mark.parametrize(
    ("text", "unless", "noted"),
    [
        ("5", 5, False),
        ("6", 5, True),
        ("false", False, False),
        ("true", False, True),
        ("", 5, False),
        ("0", None, True),
    ],
)
def test_what_is_harmless_is_not_complained_of(text: str, unless: Any, noted: bool) -> None:
    one, notes = section(f"key: {text}")
    one.drop("key", "is not for us", unless=unless)
    one.drop("gone", "is not for us")
    one.close()
    assert notes == ["x.yml:1: key: is not for us"] * noted


@pytest.mark.parametrize("text", ["5", "[a]", "words"])
def test_a_section_must_be_one(text: str) -> None:
    one: Section = section(f"outer:\n  inner: {text}")[0]
    with pytest.raises(ConfigurationError, match=r"x\.yml:2: outer\.inner: must be a section of `key: value` lines"):
        one.section("outer").section("inner")
