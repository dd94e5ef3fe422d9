"""docs/configuration.md tells every key, with the default that is really in force, and its example is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bot.settings import Settings, parse_settings
from bot.settings.explain import _model_in

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "configuration.md").read_text(encoding="utf-8")


def documented() -> dict[str, str]:
    """Default as written, by dotted key."""
    found = {}
    section = ""
    for line in TEXT.splitlines():
        if line.startswith("## "):
            section = "" if line == "## Top level" else line[3:] + "."
        row = re.match(r"\| `(\w+)` \| (.+?) \| .+ \|$", line)
        if row:
            found[section + row[1]] = row[2].strip("`")
    return found


def real(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every key and its default; sections are walked into."""
    for name, field in model.model_fields.items():
        below = _model_in(field.annotation)
        is_list = below is not None and "tuple" in str(field.annotation)
        if below is None or is_list:
            yield prefix + name, None if field.is_required() else field.get_default(call_default_factory=True)
        if below is not None:
            yield from real(below, f"{prefix}{name}.")


def spelled(value: Any) -> str:
    """A default as the page writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return '""' if value == "" else "-" if value is None else str(value)


def test_every_key_is_documented_with_its_default() -> None:
    keys = documented()
    settings = dict(real())
    assert set(keys) == set(settings)
    for key, value in settings.items():
        if key not in ("engines", "move_sources.books.path"):
            assert keys[key] == spelled(value), key


def test_the_example_is_right(tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert example is not None
    settings = parse_settings(example[1], "example.yml", folder=tmp_path)
    assert [entry.name for entry in settings.engines] == ["engine88", "other-machine"]
