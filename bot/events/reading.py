"""Reading untrusted JSON: depth, numbers and text are bounded here, once, for everything the server sends.

`read_json` is the only JSON reader of the bot's border. Values are dataclasses whose fields have the types below, from
which pydantic reads them: a value of another type, or none, becomes the field's default, never an exception.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, AliasPath, ConfigDict, Field, PlainValidator, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticUseDefault

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


def as_text(value: object) -> str | None:
    """Return a string cleaned, a number as text, None for anything else."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MAX_INTEGER:
        return str(value)
    return None


def text(data: JsonObject, key: str) -> str:
    """Return a text field; "" for anything else."""
    return as_text(data.get(key)) or ""


def as_integer(value: Any) -> int | None:
    """Return an integer of at most MAX_INTEGER. Floats and digit strings are accepted; anything else is None."""
    if isinstance(value, bool):
        return None
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) <= MAX_INTEGER else None


def as_flag(value: object) -> bool | None:
    """Return a boolean; the words "true" and "false" are accepted, other words are false, anything else is None."""
    return value.lower() == "true" if isinstance(value, str) else value if isinstance(value, bool) else None


def as_key(value: object) -> str | None:
    """Return the string, or the `key` or `name` of an object such as a variant or a status; None if it is empty."""
    if isinstance(value, Mapping):
        return as_key(value.get("key")) or as_key(value.get("name"))
    return (clean(value) or None) if isinstance(value, str) else None


def as_strings(value: object) -> tuple[str, ...]:
    """Return the strings of a JSON array, cleaned."""
    return tuple(clean(item) for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()


T = TypeVar("T")


def _or_default(read: Callable[[Any], object]) -> PlainValidator:
    """Return a validator with which a field takes its default where `read` returns None."""

    def validate(value: object) -> object:
        found = read(value)
        if found is None:
            raise PydanticUseDefault
        return found

    return PlainValidator(validate)


#: Types of fields: a value of another type counts as missing, so reading raises nothing.
Text = Annotated[str, _or_default(as_text)]
Key = Annotated[str, _or_default(as_key)]
Integer = Annotated[int, _or_default(as_integer)]
OptionalInteger = Annotated[int | None, PlainValidator(as_integer)]
Flag = Annotated[bool, _or_default(as_flag)]
Strings = Annotated[tuple[str, ...], PlainValidator(as_strings)]
Words = Annotated[tuple[str, ...], PlainValidator(lambda value: tuple((as_text(value) or "").split()))]


def named(*names: str | AliasPath) -> Any:
    """Name a field in JSON, unless it is the field's own name in camelCase: the first of these names that is there."""
    return Field(validation_alias=AliasChoices(*names))


#: The configuration of dataclasses that are read from JSON.
FROM_JSON = ConfigDict(alias_generator=to_camel)


def reader(value_type: type[T]) -> Callable[[object], T]:
    """Return a function that reads any JSON value as a dataclass whose fields all have defaults. It raises nothing."""

    @functools.cache  # made at the first use: all of them take 50 ms, which no command should wait for
    def validate() -> Callable[[object], T]:
        return TypeAdapter(value_type).validate_python

    return lambda value: validate()(value if isinstance(value, dict) else {})
