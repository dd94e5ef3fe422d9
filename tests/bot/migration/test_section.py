"""Reading sections key by key, and what both formats share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.errors import ConfigurationError
from bot.migration.section import (
    Section,
    Values,
    carry_chat,
    carry_tablebase,
    clock_of,
    engine_options,
    located,
    online_order,
    put,
)
from bot.settings import SourceSettings
from bot.settings.document import read_document


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
    assert list(one) == ["a", "3"]
    assert list(one.section("c")) == []


def test_a_flag_that_is_not_given_is_its_default() -> None:
    one = section("{a: true, b: false}")[0]
    assert [one.flag(key, default=True) for key in ("a", "b", "gone")] == [True, False, True]


def test_a_key_that_nobody_asked_for_is_noted_with_its_place() -> None:
    one, notes = section("outer:\n  a: 1\n  b:\n  c: {d: 1}\n  e: [x]\n  f: ''\n  g: []\n  h: {}\n")
    below = one.section("outer")
    below.section("c").plain()
    below.close()
    one.close()
    assert notes == ["x.yml:2: outer.a: has no counterpart", "x.yml:5: outer.e: has no counterpart"]


def test_plain_values_are_taken_and_the_others_noted() -> None:
    one, notes = section("{a: 1, b: x, c: true, d: [1], e: 1.5}")
    assert one.plain() == {"a": 1, "b": "x", "c": True, "e": 1.5}
    one.close()
    assert notes == ["x.yml:1: d: has no counterpart"]


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


FOLDER = Path("/srv/old")


def section(text: str) -> tuple[Section, list[str]]:
    """A section of such keys, and where its notes go."""
    notes: list[str] = []
    return Section(read_document(text, "x.yml"), "x.yml", notes), notes


def test_a_value_is_put_at_its_path_and_no_value_nowhere() -> None:
    target: Values = {}
    put(target, "a.b.c", 1)
    put(target, "a.d", False)
    put(target, "e", None)
    put(target, "f.g", None)
    assert target == {"a": {"b": {"c": 1}, "d": False}}


def test_paths_start_from_the_folder_of_the_file_unless_they_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    paths = ("bin/a", "../b", "/opt/c", "~/d")
    assert [located(path, FOLDER) for path in paths] == ["/srv/old/bin/a", "/srv/b", "/opt/c", "/home/me/d"]


@pytest.mark.parametrize(
    ("said", "put", "note"),
    [
        ("Hi {opponent}", "Hi {opponent}", ""),
        ("Hi {weather}!", "Hi !", "are filled in; other words in braces were removed"),
        ("x" * 420, "x" * 420, ""),
        ("x" * 421, None, "is longer than 420 characters"),
        ("", None, ""),
    ],
)
def test_a_text_of_the_chat(said: str, put: str | None, note: str) -> None:
    one, notes = section(f"hello: {said!r}")
    target: Values = {}
    carry_chat(one, target, {"hello": "greeting"})
    assert target == ({} if put is None else {"conduct": {"chat": {"greeting": put}}})
    assert len(notes) == bool(note)
    assert all(note in one for one in notes)


def test_options_that_the_bot_sets_itself_are_left_out_however_they_are_spelled() -> None:
    one, notes = section(
        "{Hash: 16, PONDER: true, uci_chess960: true, UCI_Variant: x, MultiPV: 2, Contempt: 0.5, More: {a: 1}}"
    )
    assert engine_options(one) == {"Hash": 16, "Contempt": 0.5}
    assert [note.split(": ")[1] for note in notes] == ["PONDER", "uci_chess960", "UCI_Variant", "MultiPV", "More"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{enabled: true, paths: [a, /b], max_pieces: 4}", {"paths": ["/srv/old/a", "/b"], "max_pieces": 4}),
        ("{enabled: true, paths: a, max_pieces: 6}", {"paths": ["/srv/old/a"], "max_pieces": 5}),
        ("{enabled: true, paths: a}", {"paths": ["/srv/old/a"]}),
        ("{enabled: true, paths: a, max_pieces: 0}", {"paths": ["/srv/old/a"]}),
        ("{enabled: false, paths: a, max_pieces: 4}", None),
        ("{paths: a}", None),
    ],
)
def test_tables_are_those_that_are_enabled(text: str, expected: Values | None) -> None:
    target: Values = {}
    carry_tablebase(section(text)[0], target, "gaviota", 5, FOLDER)
    assert target == ({} if expected is None else {"move_sources": {"gaviota": expected}})


@pytest.mark.parametrize(
    ("read", "words", "expected", "unknown"),
    [
        (
            Section.variants,
            "[standard, 3Check, giveaway, antichess, x]",
            ["standard", "threeCheck", "antichess"],
            1,
        ),
        (Section.speeds, "[Blitz, ultrabullet, 3+2, 10+0, slow, 3+x]", ["blitz", "ultraBullet", "3+2", "10+0"], 2),
        (Section.variants, "[3+2]", [], 1),
        (Section.speeds, "rapid", ["rapid"], 0),
    ],
)
def test_names_of_variants_and_speeds_become_ours_once_each(
    read: Any, words: str, expected: list[str], unknown: int
) -> None:
    one, notes = section(f"names: {words}")
    assert read(one, "names") == expected
    assert len(notes) == unknown
    assert all(note.endswith("is unknown") for note in notes)


def test_users_are_names_and_lists_whose_address_is_completed() -> None:
    one, notes = section(
        "{a: [Rude, lists.example/bots, https://other.example/x, a/b, .hidden/x, rude.name], b: [Rude, Slow]}"
    )
    assert Section.users(one, "a", "b", "c") == [
        "Rude",
        "https://lists.example/bots",
        "https://other.example/x",
        "a/b",
        ".hidden/x",
        "rude.name",
        "Slow",
    ]
    assert notes == []


@pytest.mark.parametrize(
    ("priorities", "order"),
    [
        ({"book": 4, "explorer": 3, "cloud": 2, "chessdb": 1}, ["book", "explorer", "cloud", "chessdb"]),
        ({"book": 1, "explorer": 2, "cloud": 3, "chessdb": 4}, ["chessdb", "cloud", "explorer", "book"]),
    ],
)
def test_the_order_of_sources_is_that_of_their_priorities(priorities: dict[str, int], order: list[str]) -> None:
    found = online_order(priorities)
    usual = [name for name in SourceSettings().order if name in priorities]
    assert (usual if found is None else found[:4]) == order
    assert found is None or sorted(found) == sorted(SourceSettings().order)
    assert online_order({name: -place for place, name in enumerate(usual)}) is None


@pytest.mark.parametrize(
    ("word", "clock"),
    [("3+2", "3+2"), ("0.5+0", "0.5+0"), ("1.50+1", "1.5+1"), ("3", None), ("3+x", None), ("blitz", None)],
)
def test_an_exact_clock_in_our_spelling(word: str, clock: str | None) -> None:
    assert clock_of(word) == clock
