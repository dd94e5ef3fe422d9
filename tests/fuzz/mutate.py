"""Seeded mutations of JSON values, bytes and words. The same generator gives the same mutations."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from typing import Any

#: What is in a document for text that no JSON writer gives; see `dump`.
RAW = "\x01raw:"
RAW_TOKENS = ("NaN", "-Infinity", "1e400", "-1e-400", "9" * 5000, "-0", "01", "'", "\\ud800", "tru", "0x10", "1_000")
WEIRD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**53 + 1, -(2**63), 10**30, 0.5, 1e308, -1e-308),
    *(
        "",
        " ",
        "null",
        "true",
        "-1",
        "1e9",
        "0000",
        "٣",
        "é" * 300,
        "x" * 20_000,
        "\u202egnp.exe",
        "\ufeff",
        "\x00\x1b[31m",
    ),
    *("\ud800", "\n[Event]", "a\r\nb", "🨀", "e2e4 e7e5", "a1a1", "0000", "e7e8k", "../../etc/passwd", "{}", "%s%n"),
    *([], {}, [[]], [None], {"": {}}, [1, "2", None], {"key": None}, {"name": []}),
)
BYTES = (
    b"\x00",
    b"\xff",
    b"\xc3(",
    b"\xed\xa0\x80",
    b"\r",
    b"\n",
    b"\\u0000",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b'"',
    b",",
    b"e",
)


def dump(value: Any) -> bytes:
    """JSON, with the text behind each RAW mark put in as it stands."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    mark = json.dumps(RAW)[:-1].encode()
    while (begin := text.find(mark)) >= 0:
        end = text.index(b'"', begin + len(mark))
        text = text[:begin] + text[begin + len(mark) : end] + text[end + 1 :]
    return text


def mutated_json(rng: random.Random, value: Any, times: int) -> Any:
    """A copy of a JSON value with so many changes at random places."""
    value = copy.deepcopy(value)
    for _ in range(times):
        holder, key = rng.choice(_places(value)) if _places(value) else (None, None)
        if holder is None:
            return _weird(rng)
        _change(rng, holder, key)
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting and len(found) < 500:
        one = waiting.pop()
        keys = list(one) if isinstance(one, dict) else list(range(len(one))) if isinstance(one, list) else []
        found += [(one, key) for key in keys]
        waiting += [one[key] for key in keys]
    return found


def _change(rng: random.Random, holder: Any, key: Any) -> None:
    kind = rng.randrange(8)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[rng.choice(["extra", "", "type", "moves", "\u202e"])] = _weird(rng)
    elif kind == 2 and isinstance(holder, list):
        holder.extend(holder[: rng.randrange(3)] * rng.randrange(4))
    elif kind == 3 and isinstance(holder[key], str):
        holder[key] = mutated_words(rng, holder[key].split(" "))
    elif kind == 4:
        holder[key] = [holder[key]] if rng.random() < 0.5 else {"value": holder[key]}
    else:
        holder[key] = _weird(rng)


def _weird(rng: random.Random) -> Any:
    kind = rng.random()
    if kind < 0.15:
        return RAW + rng.choice(RAW_TOKENS)
    if kind < 0.17:
        depth = rng.choice([10, 63, 64, 65, 2000, 100_000])
        return RAW + rng.choice(["[" * depth + "]" * depth, '{\\"a\\":' * 3, "[" * depth])
    return copy.deepcopy(rng.choice(WEIRD))


def mutated_words(rng: random.Random, words: Sequence[str]) -> str:
    """The words with one of them doubled, dropped, moved, cut or replaced."""
    words = list(words)
    place = rng.randrange(len(words)) if words else 0
    kind = rng.randrange(6)
    if not words or kind == 0:
        words.insert(place, rng.choice([one for one in WEIRD if isinstance(one, str)]))
    elif kind == 1:
        del words[place]
    elif kind == 2:
        words[place:place] = [words[place]] * rng.choice([1, 2, 500])
    elif kind == 3:
        words[place] = words[place][: rng.randrange(len(words[place]) + 1)]
    elif kind == 4:
        rng.shuffle(words)
    else:
        words[place] = str(rng.choice([-1, 0, 10**18, 1.5, "٣", "a1a1", "x" * 1000]))
    return " ".join(words)


def mutated_bytes(rng: random.Random, data: bytes, times: int, tokens: Sequence[bytes] = BYTES) -> bytes:
    """The bytes with so many changes: flipped, cut, doubled, or tokens put in."""
    for _ in range(times):
        begin = rng.randrange(len(data) + 1)
        end = min(len(data), begin + rng.choice([1, 1, 4, 30]))
        kind = rng.randrange(5)
        if kind == 0 and begin < len(data):
            data = data[:begin] + bytes([data[begin] ^ (1 << rng.randrange(8))]) + data[begin + 1 :]
        elif kind == 1:
            data = data[:begin] + data[end:]
        elif kind == 2:
            data = data[:end] + data[begin:end] * rng.choice([1, 3]) + data[end:]
        elif kind == 3:
            data = data[:begin]
        else:
            data = data[:begin] + rng.choice(tokens) + data[begin:]
    return data
