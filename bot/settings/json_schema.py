"""The JSON Schema of the configuration, for editors; made from the models, so that it is never another opinion."""

from __future__ import annotations

import json
from typing import Any

from bot.settings.model import Settings

#: What pydantic says of a key that editors need not be told; defaults of sections repeat those of their keys.
_LEFT_OUT = ("title", "default", "description", "anyOf")


def schema_text() -> str:
    """Return the schema as it is committed and printed: indented JSON, one newline at the end."""
    return json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"


def settings_schema() -> dict[str, Any]:
    """Return the schema of a configuration file.

    It accepts what the file may hold beyond the models' types: a single entry for a list of one, and a key with nothing
    behind it. What depends on several keys (limits in order, names that exist) only `bot88 check` can tell.
    """
    schema = Settings.model_json_schema()
    for section in (schema, *schema["$defs"].values()):
        required = section.get("required", ())
        section["properties"] = {
            name: _as_written(key, may_be_empty=name not in required) for name, key in section["properties"].items()
        }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {**head, **schema, "title": "bot88", "description": "The configuration of bot88: docs/configuration.md."}


def _as_written(key: dict[str, Any], *, may_be_empty: bool) -> dict[str, Any]:
    """Return the schema of one key's value as people may write it."""
    plain = {name: value for name, value in key.items() if name not in _LEFT_OUT}
    choices = [_with_single_entry(choice) for choice in key.get("anyOf", [plain])]
    forms = [form for choice in choices for form in choice]
    if may_be_empty and {"type": "null"} not in forms:
        forms.append({"type": "null"})
    default = key.get("default")
    kept = {} if default is None or "$ref" in plain else {"default": default}
    return {**(forms[0] if len(forms) == 1 else {"anyOf": forms}), **kept}


def _with_single_entry(choice: dict[str, Any]) -> list[dict[str, Any]]:
    if choice.get("type") == "array":
        choice = {"minItems" if name == "minLength" else name: value for name, value in choice.items()}
        return [choice, choice["items"]]
    if "additionalProperties" in choice:
        below = choice["additionalProperties"]
        return [{**choice, "additionalProperties": {"anyOf": [*below.get("anyOf", [below]), {"type": "null"}]}}]
    return [choice]
