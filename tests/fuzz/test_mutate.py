"""Mutations depend on the seed alone and reach what they are meant to reach."""

from __future__ import annotations

import json
import random

import pytest

from tests.fuzz.mutate import RAW, dump, mutated_bytes, mutated_json, mutated_words

VALUE = {"type": "gameState", "moves": "e2e4 e7e5", "clock": {"initial": 60}, "list": [1, 2]}


def test_the_same_seed_gives_the_same_mutation() -> None:
    first, second = (dump(mutated_json(random.Random(5), VALUE, 5)) for _ in range(2))
    assert first == second


def test_a_mutation_leaves_its_seed_alone_and_is_another_value() -> None:
    before = json.dumps(VALUE)
    changed = sum(mutated_json(random.Random(number), VALUE, 1) != VALUE for number in range(200))
    assert json.dumps(VALUE) == before
    assert changed > 150


def test_raw_text_stands_in_the_document_as_it_is() -> None:
    assert dump({"a": RAW + "1e400", "b": [RAW + "NaN"]}) == b'{"a": 1e400, "b": [NaN]}'


@pytest.mark.parametrize("words", [[], ["one"], ["go", "depth", "3"]])
def test_words_and_bytes_of_any_length_can_be_mutated(words: list[str]) -> None:
    for number in range(300):
        assert isinstance(mutated_words(random.Random(number), words), str)
        assert isinstance(mutated_bytes(random.Random(number), " ".join(words).encode(), 3), bytes)


def test_every_kind_of_trouble_comes_up() -> None:
    lines = b"\n".join(dump(mutated_json(random.Random(number), VALUE, 2)) for number in range(3000))
    lines += b"\n".join(mutated_bytes(random.Random(number), b'{"a": "b"}', 3) for number in range(500))
    for wanted in (b"NaN", b"1e400", b"[[[[[[[[[[", b"9" * 5000, b"\xed\xa0\x80", b"\xff", b"\x00", "\u202e".encode()):
        assert wanted in lines
