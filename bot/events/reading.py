"""Reading untrusted JSON: depth, numbers and text are bounded here, once, for everything the server sends.

`read_json` is the only JSON reader of the bot's border. The field readers below give a value of their type or the
default, never an exception.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

JsonObject = Mapping[str, Any]

#: The deepest answer of the server's schema has six levels; Python's own recursion limit is about 1000.
MAX_DEPTH = 64
#: The integers that a JSON number carries exactly (RFC 8259, section 6); milliseconds since 1970 need 41 bits.
MAX_INTEGER = 2**53
_MAX_DIGITS = len(str(MAX_INTEGER))

_STRINGS_AND_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)
#: C0 and C1 controls (line ends and escape among them), line and paragraph separators.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
#: Marks that change the writing direction of what follows, and the byte order mark.
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


class MalformedJson(ValueError):  # noqa: N818 -- named by what was found, as json.JSONDecodeError's family is
    """The bytes are not JSON, or JSON nested deeper than any answer of the server."""


def read_json(data: bytes | str) -> Any:
    """Decode one JSON value.

    Numbers beyond MAX_INTEGER digits, NaN and infinities become None, so that a field reader takes its default;
    broken UTF-8 becomes U+FFFD. Raises MalformedJson.
    """
    document = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    if document.count("[") + document.count("{") > MAX_DEPTH and _depth_exceeds(document, MAX_DEPTH):
        raise MalformedJson(f"JSON nested deeper than {MAX_DEPTH} levels")
    try:
        return _DECODER.decode(document)
    except ValueError as error:
        raise MalformedJson(str(error)) from error


def _depth_exceeds(document: str, most: int) -> bool:
    depth = 0
    for match in _STRINGS_AND_BRACKETS.finditer(document):
        token = match.group()
        if token in "[{":
            depth += 1
            if depth > most:
                return True
        elif token in "]}":
            depth -= 1
    return False


def _bounded_integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _finite_float(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(
    parse_int=_bounded_integer, parse_float=_finite_float, parse_constant=lambda _constant: None
)


def clean(value: str) -> str:
    """Text that may be shown on a terminal, written into a PGN or stored: one line, no control or direction marks.

    Control characters and line ends become spaces, direction marks are removed, lone surrogates become U+FFFD.
    """
    if value.isprintable():
        return value
    value = _DIRECTION_MARKS.sub("", _CONTROLS.sub(" ", value))
    return _SURROGATES.sub("\ufffd", value)


def mapping(value: object) -> JsonObject:
    """Return the value if it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def text(data: JsonObject, key: str, default: str = "") -> str:
    """Return a string field, cleaned. Numbers become text, anything else becomes the default."""
    value = data.get(key)
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MAX_INTEGER:
        return str(value)
    return default


def optional_integer(data: JsonObject, key: str) -> int | None:
    """Return an integer field of at most MAX_INTEGER. Floats and digit strings are accepted; anything else is None."""
    value = data.get(key)
    if isinstance(value, bool):
        return None
    try:
        number = int(value)  # type: ignore[arg-type]  # any other type raises
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) <= MAX_INTEGER else None


def integer(data: JsonObject, key: str, default: int = 0) -> int:
    """Return an integer field, or the default."""
    value = optional_integer(data, key)
    return default if value is None else value


def flag(data: JsonObject, key: str, default: bool = False) -> bool:
    """Return a boolean field; the words "true" and "false" are accepted."""
    value = data.get(key)
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.lower() == "true"
    return default


def key_of(value: object) -> str:
    """Return the `key` or `name` of an object such as a variant or a status, or the string itself, cleaned."""
    if isinstance(value, str):
        return clean(value)
    data = mapping(value)
    return text(data, "key") or text(data, "name")


def strings(value: object) -> tuple[str, ...]:
    """Return the strings of a JSON array, cleaned."""
    return tuple(clean(item) for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()
