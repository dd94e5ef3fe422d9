"""Texts made from the models: the commented configuration, the reference in docs/, and the JSON schema for editors.

`python -m bot.settings.reference`, run in the root of the repository, writes them all.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from bot.settings.conditions import Conditions, GameConditions
from bot.settings.engines import EngineRule
from bot.settings.model import Settings
from bot.settings.types import section_model

WIDTH, COMMENT_AT = 120, 34
GENERATED = "<!-- Everything below is generated from the models: python -m bot.settings.reference -->\n"
#: Values of config/bot88.yml that are no defaults.
_SHIPPED = {"store": "../data/bot88.sqlite3", "pgn_folder": "../data/pgn"}
SCHEMA_FILE = "bot88.schema.json"
_HEAD = f"""# yaml-language-server: $schema={SCHEMA_FILE}
#
# The configuration of `bot88 run`: every key with its default, which is also used if the line is removed. Only `store`
# and `pgn_folder` have no default. `bot88 check --all` prints what is in effect; docs/configuration.md explains more.
# Relative paths start from this file's folder. Environment variables override keys: BOT88__CHALLENGES__QUEUE=3
"""


@functools.cache
def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Return the description of each field: the text below it in the class, or in a base class."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__[: model.__mro__.index(BaseModel)]):
        found |= _texts(base.__module__)[base.__name__]
    return found


@functools.cache
def _texts(module: str) -> dict[str, dict[str, str]]:
    """Return the texts below the fields of all classes of a module."""
    classes = (
        node for node in ast.parse(inspect.getsource(sys.modules[module])).body if isinstance(node, ast.ClassDef)
    )
    found: dict[str, dict[str, str]] = {}
    for node in classes:
        found[node.name] = {
            field.target.id: " ".join(text.value.value.split())
            for field, text in zip(node.body, node.body[1:], strict=False)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        }
    return found


def is_section(field: FieldInfo) -> bool:
    """Whether a field is a section of its own, no list of sections and no optional section."""
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def inline(value: Any) -> str:
    """Return a value as YAML on one line."""
    text: str = yaml.safe_dump(_plain(value), default_flow_style=True, width=10**6, allow_unicode=True, sort_keys=False)
    return text.removesuffix("...\n").strip().replace("''", '""')


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return str(value) if isinstance(value, (Path, SecretStr)) else value


# The commented configuration


def configuration_text() -> str:
    """Return config/bot88.yml, which `bot88 init` writes."""
    return _HEAD + "\n" + "".join(f"{line}\n" for line in _section(Settings, _SHIPPED, "", top=True))


def commented(values: dict[str, Any], head: str) -> str:
    """Return a configuration with these values and the models' descriptions as comments."""
    lines = [*(f"# {line}" for line in textwrap.wrap(head, WIDTH - 2)), ""]
    text = "".join(f"{line}\n" for line in (*lines, *_given(Settings, values, "", top=True)))
    return text.replace("\n\n\n", "\n\n")


def _section(model: type[BaseModel], shipped: dict[str, Any], indent: str, *, top: bool = False) -> Iterator[str]:
    """Yield the lines of a section with all its keys."""
    for name, field in model.model_fields.items():
        below = section_model(field.annotation)
        if below is None:
            default = shipped.get(name, field.get_default(call_default_factory=True))
            yield from _key(model, name, default, indent)
            continue
        yield from ([""] if top else [])
        yield from _wrapped(_about(below), indent)
        if is_section(field):
            yield f"{indent}{name}:"
            yield from _section(below, {}, indent + "  ")
        elif field.get_default(call_default_factory=True):
            yield f"{indent}{name}:"
            yield from _entry(below, indent + "  ", "- ")
        else:
            yield f"{indent}{name}: []"
            yield from _entry(below, indent + "  # ", "- ")


def _entry(model: type[BaseModel], indent: str, mark: str) -> Iterator[str]:
    """Yield the lines of one entry of a list, with an example for each key if the entry is commented out."""
    is_example = "#" in indent
    shared = conditions_of(model)
    for name, field in model.model_fields.items():
        if name in shared:
            continue
        value = None if field.is_required() else field.get_default(call_default_factory=True)
        if is_example and field.examples and not value:
            value = field.examples[0]
        *above, line = _key(model, name, value, f"{indent}  ")
        yield from above
        yield f"{indent}{mark}{line.removeprefix(f'{indent}  ')}" if mark else line
        mark = ""
    if shared:
        yield from _wrapped(f"conditions as in `rules` above: {', '.join(shared)}", f"{indent}  ")


def conditions_of(model: type[BaseModel]) -> list[str]:
    """Return the conditions that a rule shares with engine rules, where they are described."""
    if model is EngineRule or not issubclass(model, Conditions):
        return []
    shared = GameConditions if issubclass(model, GameConditions) else Conditions
    return [name for name in shared.model_fields if name not in model.__annotations__]


def _about(model: type[BaseModel]) -> str:
    """Return what a section is for, from the docstring of its model."""
    return " ".join((model.__doc__ or "").split())


def _key(model: type[BaseModel], name: str, value: Any, indent: str) -> Iterator[str]:
    """Yield the lines of one key, commented out with an example if it has no value."""
    example = (model.model_fields[name].examples or [""])[0]
    line = f"{indent}# {name}: {inline(example)}" if value is None else f"{indent}{name}: {inline(value)}"
    text = descriptions(model)[name]
    yield from _described(line, text if value or value is None else f"{text}{_example(model, name)}", indent)


def _example(model: type[BaseModel], name: str) -> str:
    """Return an example for a key whose default is empty."""
    examples = model.model_fields[name].examples
    return f" Example: `{inline(examples[0])}`." if examples else ""


def _described(line: str, text: str, indent: str) -> Iterator[str]:
    """Yield a line with its description, behind it or, if that is too long, above it."""
    behind = f"{line.ljust(COMMENT_AT - 2)}  # {text}"
    if len(behind) <= WIDTH:
        yield behind
    else:
        yield from _wrapped(text, indent)
        yield line


def _wrapped(text: str, indent: str) -> Iterator[str]:
    lines = textwrap.wrap(text, WIDTH - len(indent) - 2, break_long_words=False, break_on_hyphens=False)
    yield from (f"{indent}# {line}" for line in lines)


def _given(model: type[BaseModel], values: dict[str, Any], indent: str, *, top: bool = False) -> Iterator[str]:
    """Yield the lines of a section with the given keys."""
    for name, value in values.items():
        field = model.model_fields[name]
        below = section_model(field.annotation)
        if below is None or not value:
            yield from _described(f"{indent}{name}: {inline(value)}", descriptions(model)[name], indent)
        elif is_section(field):
            yield from ([""] if top else [])
            yield f"{indent}{name}:"
            yield from _given(below, value, indent + "  ")
        else:
            yield from ([""] if top else [])
            yield f"{indent}{name}:"
            for entry in value:
                first, *rest = _given(below, entry, indent + "    ")
                yield f"{indent}  - {first.lstrip()}"
                yield from rest


# The reference


def reference_text() -> str:
    """Return the tables of docs/configuration.md: one for each section, with keys, defaults and descriptions."""
    return "\n".join(_tables(Settings, ""))


def _tables(model: type[BaseModel], path: str) -> Iterator[str]:
    title = path or "Top level"
    yield f"## {title}\n"
    yield f"{_about(model)}\n"
    shared = conditions_of(model)
    yield from _table(model, [name for name in model.model_fields if name not in shared])
    if shared:
        yield f"Conditions as in [rules](#rules): {', '.join(f'`{name}`' for name in shared)}.\n"
    for name, field in model.model_fields.items():
        below = section_model(field.annotation)
        if below is not None and (is_section(field) or "tuple" in str(field.annotation)):
            yield from _tables(below, f"{path}.{name}" if path else name)


def _table(model: type[BaseModel], names: list[str]) -> Iterator[str]:
    rows = []
    for name in names:
        field = model.model_fields[name]
        if is_section(field):
            continue
        rows.append(f"| `{name}` | {_default(field)} | {descriptions(model)[name]}{_example(model, name)} |")
    if rows:
        yield "\n".join(["| key | default | meaning |", "|---|---|---|", *rows]) + "\n"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    if default is None:
        return "-"
    if default and section_model(field.annotation):
        return "one entry"
    return f"`{inline(default)}`"


# The JSON schema

#: What pydantic states for a key that the schema replaces.
_REPLACED = ("title", "default", "description", "anyOf", "examples")


def schema_text() -> str:
    """Return the JSON Schema as it is committed and printed: indented JSON, one newline at the end."""
    return json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"


def settings_schema() -> dict[str, Any]:
    """Return the schema of a configuration file.

    It accepts what the file may contain beyond the models' types: a single entry for a list, and a key without a value.
    What depends on several keys (limits in order, names that exist) only `bot88 check` can find.
    """
    schema = Settings.model_json_schema()
    models = {found.__name__: found for found in _models(Settings)}
    for name, section in (("Settings", schema), *schema["$defs"].items()):
        required, texts = section.get("required", ()), descriptions(models[name])
        section["properties"] = {
            key: _as_written(below, texts.get(key, ""), may_be_empty=key not in required)
            for key, below in section["properties"].items()
        }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {**head, **schema, "title": "bot88", "description": "The configuration of bot88: docs/configuration.md."}


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield a model and all models below it."""
    yield model
    for field in model.model_fields.values():
        if below := section_model(field.annotation):
            yield from _models(below)


def _as_written(key: dict[str, Any], text: str, *, may_be_empty: bool) -> dict[str, Any]:
    """Return the schema of one key's value as people may write it."""
    plain = {name: value for name, value in key.items() if name not in _REPLACED}
    forms = [form for choice in key.get("anyOf", [plain]) for form in _with_single_entry(choice)]
    if may_be_empty and {"type": "null"} not in forms:
        forms.append({"type": "null"})
    default = key.get("default")
    kept = {} if default is None or "$ref" in plain else {"default": default}
    described = {"description": text} if text else {}
    return {**described, **(forms[0] if len(forms) == 1 else {"anyOf": forms}), **kept}


def _with_single_entry(choice: dict[str, Any]) -> list[dict[str, Any]]:
    if choice.get("type") == "array":
        choice = {"minItems" if name == "minLength" else name: value for name, value in choice.items()}
        return [choice, choice["items"]]
    if "additionalProperties" in choice:
        below = choice["additionalProperties"]
        return [{**choice, "additionalProperties": {"anyOf": [*below.get("anyOf", [below]), {"type": "null"}]}}]
    return [choice]


def generated(root: Path) -> dict[Path, str]:
    """Return the content that each generated file of a repository should have."""
    guide = root / "docs" / "configuration.md"
    found = {
        root / "config" / "bot88.yml": configuration_text(),
        root / "config" / SCHEMA_FILE: schema_text(),
        guide: guide.read_text(encoding="utf-8").partition(GENERATED)[0] + GENERATED + "\n" + reference_text(),
    }
    for name in ("config/container.yml", "config/offline.yml"):
        text = (root / name).read_text(encoding="utf-8")
        head = " ".join(line.removeprefix("#").strip() for line in text.partition("\n\n")[0].splitlines())
        found[root / name] = commented(yaml.safe_load(text), head)
    found[root / "bot" / "offline" / "offline.yml"] = found[root / "config" / "offline.yml"]
    return found


if __name__ == "__main__":
    for file, content in generated(Path.cwd()).items():
        file.write_text(content, encoding="utf-8")
