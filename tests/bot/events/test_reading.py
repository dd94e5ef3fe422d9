"""Untrusted JSON: depth and numbers are bounded, and text is safe for terminal, PGN, store and page."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.events.account import parse_account_event, parse_challenge
from bot.events.game import parse_game_event, parse_game_export
from bot.events.reading import (
    MAX_DEPTH,
    Flag,
    Integer,
    MalformedJson,
    as_flag,
    as_integer,
    as_key,
    as_strings,
    as_text,
    clean,
    read_json,
    reader,
    text,
)

#: Every character that a terminal, a PGN or a page could take for more than a letter.
HARMFUL = st.sampled_from(
    "\x00\x07\x08\t\n\r\x1b\x7f\x85\x9b\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068"
    "\u2069\ufeff\ud800\udfff"
)


@dataclass(frozen=True)
class Sample:
    number: Integer = 3
    yes: Flag = True
    no: Flag = False


read_sample = reader(Sample)
HOSTILE_TEXT = st.text(st.one_of(HARMFUL, st.characters(exclude_categories=[])), max_size=40)


def test_json_is_read() -> None:
    assert read_json(b'{"a": [1, 2.5, "x", null, true]}') == {"a": [1, 2.5, "x", None, True]}


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("count", [MAX_DEPTH + 1, 200_000])
def test_deep_nesting_is_malformed(opening: bytes, count: int) -> None:
    with pytest.raises(MalformedJson, match="nested"):
        read_json(opening * count)


def test_brackets_side_by_side_or_in_strings_are_not_deep() -> None:
    assert read_json(b"[" + b",".join([b"[]"] * 5000) + b"]") == [[]] * 5000
    assert read_json(json.dumps({"text": "[" * 5000 + '\\"{'}).encode()) == {"text": "[" * 5000 + '\\"{'}


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 400, "1e400", "-1e999", "NaN", "Infinity", "-Infinity"])
def test_absurd_numbers_count_as_missing(number: str) -> None:
    assert read_json(b'{"wtime": %s, "btime": 7}' % number.encode()) == {"wtime": None, "btime": 7}


@pytest.mark.parametrize("data", [b"", b"{nonsense", b"\xff\xfe\x00", b"<html>", b'{"a": 1} x'])
def test_anything_but_json_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedJson):
        read_json(data)


@pytest.mark.parametrize("value", ["9" * 5000, "9" * 400, 10**400, float("inf"), float("nan"), 1e300, 2**53 + 1])
def test_integers_are_bounded(value: object) -> None:
    assert as_integer(value) is None
    assert read_sample({"number": value}).number == 3
    assert len(text({"n": value}, "n")) <= 5000


@pytest.mark.parametrize(
    ("value", "spelled"),
    [(12, "12"), (-3, "-3"), (1.5, "1.5"), (2**53, str(2**53)), (True, "-"), (2**53 + 1, "-"), (None, "-"), ([], "-")],
)
def test_numbers_as_text(value: object, spelled: str) -> None:
    assert (as_text(value) or "-") == spelled


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("zoë ♞ 王", "zoë ♞ 王"),
        ("\x1b[2Jgone", " [2Jgone"),
        ('Eve"]\n[Result "1-0', 'Eve"] [Result "1-0'),
        ("line\r\nend", "line  end"),
        ("a\u202eb\u2066c\u200ed", "abcd"),
        ("\ud800lone\udfff", "\ufffdlone\ufffd"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_text_is_cleaned(given_text: str, cleaned: str) -> None:
    assert clean(given_text) == cleaned


def strings_in(value: object) -> list[str]:
    """Every string of a frozen value, its parts included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in strings_in(item)]
    names = getattr(type(value), "__slots__", ())
    return [found for name in names for found in strings_in(getattr(value, name))]


def lines(words: tuple[str, ...]) -> list[dict[str, Any]]:
    """Each kind of line with hostile text in all its fields."""
    a, b, c = words
    player = {"id": a, "name": b, "title": c, "username": b}
    state = {"moves": a, "status": b, "winner": c, "rematch": a}
    head = {"id": a, "variant": b, "speed": c, "initialFen": a, "perf": b, "tournamentId": c}
    return [
        {"type": "gameFull", **head, "white": player, "black": player, "state": state},
        {"type": "gameState", **state},
        {"type": "chatLine", "username": a, "text": b, "room": c},
        {"type": a},
    ]


@given(st.tuples(HOSTILE_TEXT, HOSTILE_TEXT, HOSTILE_TEXT))
def test_no_harmful_character_passes(words: tuple[str, str, str]) -> None:
    a, b, c = words
    player = {"id": a, "name": b, "title": c}
    challenge = {"id": a or "x", "challenger": player, "variant": b, "rules": [a, b], "url": c, "declineReason": a}
    game = {"gameId": a or "x", "opponent": player, "fen": b, "status": {"name": c}, "source": a}
    values: list[object] = [parse_game_event(line) for line in lines(words)]
    values += [
        parse_account_event({"type": kind, "challenge": challenge}) for kind in ("challenge", "challengeDeclined")
    ]
    values += [parse_account_event({"type": "gameStart", "game": game}), parse_challenge(challenge)]
    export = {"id": a or "x", "status": b or "x", "moves": c, "players": {"white": {"user": player}}}
    values.append(parse_game_export(export))
    for found in strings_in(values):
        assert {unicodedata.category(character) for character in found} & {"Cc", "Cs", "Zl", "Zp"} == set()
        assert {unicodedata.bidirectional(one) for one in found} & {"RLO", "LRO", "RLE", "LRE", "RLI", "LRI"} == set()
        found.encode("utf-8")


def test_the_deepest_nesting() -> None:
    value = read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    for _ in range(MAX_DEPTH - 1):
        (value,) = value
    assert value == []
    with pytest.raises(MalformedJson, match=f"deeper than {MAX_DEPTH} levels"):
        read_json("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    ends_below = ",[]" * MAX_DEPTH  # closed again and again: never deeper
    assert len(read_json("[[]" + ends_below + "]")) == MAX_DEPTH + 1


@pytest.mark.parametrize("digits", [1, 16])
def test_the_longest_number(digits: int) -> None:
    assert read_json("9" * digits) == int("9" * digits)
    assert read_json("9" * 17) is None


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (2**53, 2**53),
        (-(2**53), -(2**53)),
        (-(2**53) - 1, None),
        (2.9, 2),
        ("17", 17),
        (0, 0),
        (True, None),
        (False, None),
        (None, None),
        ("x", None),
        ([], None),
        ({}, None),
    ],
)
def test_integers(value: object, number: int | None) -> None:
    assert as_integer(value) == number
    assert read_sample({"number": value}).number == (3 if number is None else number)


@pytest.mark.parametrize(
    ("value", "found"),
    [(True, True), (False, False), ("true", True), ("TRUE", True), ("false", False), ("yes", False), ("", False)],
)
def test_flags(value: object, found: bool) -> None:
    assert as_flag(value) is found
    assert (read_sample({"yes": value}).yes, read_sample({"no": value}).no) == (found, found)


@pytest.mark.parametrize("value", [None, 1, 0, [], {}])
def test_what_is_no_flag_leaves_the_default(value: object) -> None:
    assert as_flag(value) is None
    assert read_sample({"yes": value, "no": value}) == read_sample([]) == Sample()


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("mate", "mate"),
        ("ma\nte", "ma te"),
        ({"key": "atomic", "name": "Atomic"}, "atomic"),
        ({"name": "Atomic"}, "Atomic"),
        ({"key": [], "name": "Atomic"}, "Atomic"),
        ({"name": {"key": "mate"}}, "mate"),
        ({"key": [], "name": 31}, None),
        (31, None),
        (None, None),
        ("", None),
    ],
)
def test_keys(value: object, found: str | None) -> None:
    assert as_key(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [(["a", 5, "b\x1b", None], ("a", "b ")), (("a",), ("a",)), ("abc", ()), (None, ()), ({"a": "b"}, ())],
)
def test_strings(value: object, found: tuple[str, ...]) -> None:
    assert as_strings(value) == found
