"""Reading untrusted JSON: each reader gives a value of its type or the default, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

JsonObject = Mapping[str, Any]


def mapping(value: object) -> JsonObject:
    """The value when it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def text(data: JsonObject, key: str, default: str = "") -> str:
    """A string field; numbers are spelled out, anything else is the default."""
    value = data.get(key)
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return default


def optional_integer(data: JsonObject, key: str) -> int | None:
    """An integer field; floats and digit strings are accepted, anything else is None."""
    value = data.get(key)
    if isinstance(value, bool):
        return None
    try:
        return int(value)  # type: ignore[arg-type]  # whatever it is, the two errors below say so
    except (TypeError, ValueError, OverflowError):
        return None


def integer(data: JsonObject, key: str, default: int = 0) -> int:
    """An integer field with a default."""
    value = optional_integer(data, key)
    return default if value is None else value


def flag(data: JsonObject, key: str, default: bool = False) -> bool:
    """A boolean field; the words "true" and "false" are accepted."""
    value = data.get(key)
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.lower() == "true"
    return default


def key_of(value: object) -> str:
    """The `key` or `name` of an object such as a variant or a status, or the string itself."""
    if isinstance(value, str):
        return value
    data = mapping(value)
    return text(data, "key") or text(data, "name")


def strings(value: object) -> tuple[str, ...]:
    """The strings of a JSON array."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()
