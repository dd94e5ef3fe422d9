"""The texts made from the models are current, complete, and say what the models do."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # it comes without types
import pytest
import yaml
from pydantic import BaseModel

from bot.errors import ConfigurationError
from bot.settings import Settings, load_settings, parse_settings
from bot.settings.reference import _models, descriptions, generated, settings_schema
from bot.settings.types import section_model

ROOT = Path(__file__).resolve().parents[3]
CONFIG = ROOT / "config"
GUIDE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
SCHEMA = jsonschema.Draft202012Validator(settings_schema())
#: What the examples need besides one another.
BESIDES = {"ExplorerSettings": {"database": "player"}}
MODELS = {model.__name__: model for model in _models(Settings)}
FITTING = [
    "{}",
    "clock: {}",
    "clock:\nrules:\nlog: {file: }",
    "challenges: {variants: chess960, speeds: [blitz]}",
    "engines: {name: x, command: a b c, options: {Hash: 16, Ponder: true, Style: , Contempt: 0.5}}",
    "engines: [{command: [a, b], environment: {A: b}}]",
    "rules: [{opponents: human, speeds: , options: {UCI_Elo: 1800}}]",
    "move_sources: {order: book, books: {path: x.bin, color: white}}",
    "matchmaking: {profiles: [{days: 2}]}",
    "conduct: {chat: {player_commands: [], custom: {rules: 'on {cpu}'}}}",
    "rules: [{level: 1600}, {level: easy}, {level: opponent}]",
    "conduct: {levels: {names: {weak: 800}}}",
    "tournaments: {arenas: {id: AbCd1234, password: x}, teams: [{id: a-team}]}",
    "challenges: {speeds: 15+10, block: [a, x.txt, 'http://a/b'], order: rating, allow: a}",
    "challenges: {rules: {titles: GM, unless: {speeds: [blitz, ½+0], users: a}, decline: later}}",
    "conduct: {rules: [{users: a, resign: {enabled: false}, draw: {contempt: false}}]}",
    "move_sources: {online: {explorer: {database: player, sort: performance}}}",
    "matchmaking: {selection: cyclic, profiles: {prefer: near}}",
    "lichess: {token: lip_x, url: http://localhost:8080}",
]
UNFIT = [
    "concurency: 2",
    "concurrency: 0",
    "concurrency: '2'",
    "clock: 5",
    "clock: {ponder: 1}",
    "challenges: {variants: [standrd]}",
    "challenges: {speeds: blizt}",
    "engines: []",
    "engines: [{slots: 0}]",
    "engines: {options: {Hash: [1]}}",
    "move_sources: {books: [{selection: best}]}",
    "move_sources: {books: [{path: }]}",
    "rules: [{level: 50}]",
    "conduct: {levels: {names: {weak: strong}}}",
    "matchmaking: {games_per_day: 101}",
    "log: {level: inf}",
    "conduct: {chat: {greeting: %s}}" % ("x" * 421),
    "conduct: {chat: {player_commands: evl}}",
    "conduct: {chat: {spectator_commands: wait}}",
    "conduct: {chat: {custom: {rules: 1}}}",
    "challenges: {speeds: 15-10}",
    "challenges: {rules: [{decline: no}]}",
    "challenges: {rules: [{unless: {accept: true}, decline: later}]}",
    "challenges: {order: best}",
    "challenges: {rules: {titles: gm, accept: true}}",
    "rules: [{min_move_share: 0.5}]",
    "conduct: {rules: [{resign: {enable: false}}]}",
    "notify: {events: [ill]}",
]


def test_all_generated_files_are_current() -> None:
    stale = [path for path, text in generated(ROOT).items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run: python -m bot.settings.reference"


@pytest.mark.parametrize("model", MODELS.values(), ids=str)
def test_every_key_has_a_description_and_every_optional_key_an_example_that_fits(model: type[BaseModel]) -> None:
    examples = {name: field.examples[0] for name, field in model.model_fields.items() if field.examples}
    for name, field in model.model_fields.items():
        if section_model(field.annotation) and not field.examples:
            continue
        assert descriptions(model)[name].endswith((".", "...")), name
        assert field.is_required() or field.get_default(call_default_factory=True) is not None or name in examples
    model.model_validate(examples | BESIDES.get(model.__name__, {}))


def test_the_shipped_file_contains_the_defaults() -> None:
    settings = load_settings(CONFIG / "bot88.yml", {})
    assert settings.model_copy(update={"store": None, "pgn_folder": None}) == Settings()


@pytest.mark.parametrize("example", re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL))
def test_the_examples_of_the_guide_are_valid(example: str, tmp_path: Path) -> None:
    SCHEMA.validate(yaml.safe_load(example))
    assert parse_settings(example, "example.yml", folder=tmp_path)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(settings_schema())
    first = (CONFIG / "bot88.yml").read_text(encoding="utf-8").splitlines()[0]
    assert (CONFIG / first.removeprefix("# yaml-language-server: $schema=")).is_file()


@pytest.mark.parametrize("name", ["bot88.yml", "offline.yml", "container.yml"])
def test_the_shipped_files_match_the_schema(name: str) -> None:
    SCHEMA.validate(yaml.safe_load((CONFIG / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("text", FITTING)
def test_the_schema_accepts_what_the_models_accept(text: str) -> None:
    parse_settings(text, "f.yml")
    SCHEMA.validate(yaml.safe_load(text))


@pytest.mark.parametrize("text", UNFIT)
def test_the_schema_rejects_what_the_models_reject(text: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_settings(text, "f.yml")
    assert not SCHEMA.is_valid(yaml.safe_load(text))
