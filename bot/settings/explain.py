"""pydantic's validation errors in words for the person who wrote the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ValidationError

from bot.errors import choices, did_you_mean
from bot.settings.document import Document, Place, escaped
from bot.settings.types import section_model

_MOST_SHOWN = 10

#: What to write, by pydantic's error type.
_EXPECTED = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "dict_type": "must be a section of `key: value` lines",
    "model_type": "must be a section of `key: value` lines",
    "model_attributes_type": "must be a section of `key: value` lines",
    "path_type": "must be a path",
    "missing": "is missing",
    "none_required": "must be left empty",
    "union": "must be true, false, a number or text",
    "number_or_text": "must be a number or text",
    "invalid_key": "every key must be text; put it in quotes",
}


def explain(error: ValidationError, document: Document, name: str, model: type[BaseModel]) -> str:
    """Return one line per error: `file:line: key: problem; remedy`; a variable's name where it set the value."""
    problems = [(_place(one["loc"], document), one) for one in _worst(error)]
    return located([(place, _describe(one, place, model, document)) for place, one in problems], document, name)


def located(problems: Iterable[tuple[Place, str]], document: Document, name: str) -> str:
    """Return one line per problem, in the order of the file; the first ten."""
    found = sorted(problems, key=lambda one: document.line_of(one[0]))
    lines = [
        f"{document.source_of(place, name)}: {_dotted(_place(place, document)) or 'the file'}: {problem}"
        for place, problem in found[:_MOST_SHOWN]
    ]
    if len(found) > _MOST_SHOWN:
        lines.append(f"... and {len(found) - _MOST_SHOWN} more")
    return escaped("\n".join(lines))


def _worst(error: ValidationError) -> list[dict[str, Any]]:
    """Return one error per key; pydantic returns one for each member of a union.

    The member whose type matches the value explains the error; if none matches, all types are named.
    """
    seen: dict[Place, dict[str, Any]] = {}
    for problem in error.errors():
        place = tuple(part for part in problem["loc"] if not _is_tag(part))
        first = seen.get(place)
        if first is None or (first["type"] in _EXPECTED and problem["type"] not in _EXPECTED):
            seen[place] = {**problem, "loc": place, "member": problem["loc"][-1:]}
        elif problem["type"] in _EXPECTED and first["type"] in _EXPECTED:
            first["type"] = "union" if first["member"] == ("bool",) else "number_or_text"
    return list(seen.values())


def _is_tag(part: str | int) -> bool:
    """Members of a union appear in locations as the names of their types."""
    return part in ("bool", "int", "constrained-int", "str", "float", "[key]")


def _place(loc: Place, document: Document) -> Place:
    """The location without the index that a single word, standing for a list of one, was given."""
    if loc and loc[-1] == 0 and loc not in document.lines:
        return loc[:-1]
    return loc


def _dotted(place: Place) -> str:
    text = ""
    for part in place:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _describe(problem: dict[str, Any], place: Place, model: type[BaseModel], document: Document) -> str:
    kind = problem["type"]
    if kind == "extra_forbidden":
        return _unknown_key(place, model)
    if kind == "literal_error":
        return _wrong_word(problem, place, document)
    if kind in ("value_error", "value_at"):
        return str(problem["ctx"].get("error") or problem["msg"])
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    message: str = problem["msg"]
    message = message.replace("Input should be", "must be").replace("Input should", "must")
    return message[:1].lower() + message[1:]


def _wrong_word(problem: dict[str, Any], place: Place, document: Document) -> str:
    allowed: str = problem["ctx"]["expected"]
    words = [word.strip(" '") for word in allowed.replace(" or ", ",").split(",")]
    value = _value_at(document.data, place)
    shown = f"{value!r} is not known" if isinstance(value, (str, int, float, bool)) else "is not known"
    return f"{shown}{choices(str(value), words, 0.5)}"


def _value_at(data: Any, place: Place) -> Any:
    for part in place:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _unknown_key(place: Place, model: type[BaseModel]) -> str:
    section = _model_at(model, place[:-1])
    key = str(place[-1])
    known = sorted(section.model_fields) if section else []
    hint = did_you_mean(key, known, 0.85)
    elsewhere = "" if hint else _find_key(model, key)
    if elsewhere:
        return f'unknown key here; it belongs to "{elsewhere}"'
    hint = hint or did_you_mean(key, known)
    if hint:
        return f"unknown key; {hint}"
    return f"unknown key; possible here: {', '.join(known)}" if known else "unknown key"


def _model_at(model: type[BaseModel], place: Place) -> type[BaseModel] | None:
    """Return the model of the section at a path."""
    current: type[BaseModel] | None = model
    for part in place:
        if isinstance(part, int):
            continue
        field = current.model_fields.get(part) if current else None
        current = section_model(field.annotation) if field else None
    return current


def _find_key(model: type[BaseModel], key: str, prefix: str = "") -> str:
    """Return the dotted path of the section that has a key; "" when none has."""
    for name, field in model.model_fields.items():
        below = section_model(field.annotation)
        if below is None:
            continue
        path = f"{prefix}{name}"
        if key in below.model_fields:
            return path
        found = _find_key(below, key, f"{path}.")
        if found:
            return found
    return ""
