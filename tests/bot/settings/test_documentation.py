"""docs/configuration.md and config/bot88.yml tell every key, with the default really in force; examples are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from bot.settings import Settings, load_settings, parse_settings
from bot.settings.explain import _model_in

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
FILE = ROOT / "config" / "bot88.yml"


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
    """Every key and its default; sections are walked into, not those of a rule that has the keys of another section."""
    for name, field in model.model_fields.items():
        below = _model_in(field.annotation)
        if below is not None and prefix.endswith("rules."):
            below = None
        is_list = below is not None and "tuple" in str(field.annotation)
        if below is None or is_list:
            yield prefix + name, None if field.is_required() else field.get_default(call_default_factory=True)
        if below is not None:
            yield from real(below, f"{prefix}{name}.")


def spelled(value: Any) -> str:
    """A default as the page writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {below}' for name, below in value.items())}}}"
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
        if key not in ("engines", "move_sources.books.path", "tournaments.arenas.id", "tournaments.teams.id"):
            assert keys[key] == spelled(value), key


def test_the_example_is_right(tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert example is not None
    settings = parse_settings(example[1], "example.yml", folder=tmp_path)
    assert [entry.name for entry in settings.engines] == ["engine88", "other-machine"]


def test_the_file_we_ship_holds_the_defaults() -> None:
    settings = load_settings(FILE, {})
    assert settings.model_copy(update={"store": None, "pgn_folder": None}) == Settings()


@pytest.mark.parametrize(("key", "default"), list(real()), ids=lambda value: value if isinstance(value, str) else "")
def test_the_file_we_ship_has_every_key(key: str, default: Any) -> None:
    """A key with a default has its line; one without, or in a list that is empty, a comment."""
    text = FILE.read_text(encoding="utf-8")
    *sections, name = key.split(".")
    value = yaml.safe_load(text)
    for section in sections:
        value = value[section] if isinstance(value, dict) else (value or [{}])[0]
    if isinstance(value, list):
        value = value[0] if value else {}
    assert name in value or re.search(rf"^ *#[ #-]*{name}: ", text, re.MULTILINE), key
    if default is not None and value:
        assert name in value, key


def test_the_example_of_matchmaking_in_the_file_is_right() -> None:
    text = FILE.read_text(encoding="utf-8")
    example = re.search(r"(?:^# ?.*\n)+", text[text.index("# matchmaking:") :], re.MULTILINE)
    assert example is not None
    lines = [line.removeprefix("# ") for line in example[0].splitlines()]
    settings = parse_settings("\n".join(lines), "example.yml")
    assert settings.matchmaking.enabled
    assert [profile.speed for profile in settings.matchmaking.profiles] == ["blitz", "blitz", "correspondence"]
