"""The schema for editors: the committed file is today's, and it accepts and refuses what the models do."""

from __future__ import annotations

from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # it comes without types
import pytest
import yaml

from bot.errors import ConfigurationError
from bot.settings import parse_settings, schema_text
from bot.settings.json_schema import settings_schema

CONFIG = Path(__file__).resolve().parents[3] / "config"
SCHEMA = jsonschema.Draft202012Validator(settings_schema())

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
    "conduct: {chat: {rooms: spectator, player_commands: [], bot_greeting: '', custom: {rules: 'on {cpu}'}}}",
    "rules: [{level: 1600}, {level: easy}, {level: opponent}]",
    "conduct: {levels: {modes: [casual, rated], names: {weak: 800}}}",
    "tournaments: {arenas: {id: AbCd1234, password: x}, teams: [{id: a-team}]}",
    "challenges: {speeds: 15+10, block: [a, x.txt, 'http://a/b'], order: rating, allow: a}",
    "challenges: {rules: {titles: GM, unless: {speeds: [blitz, ½+0], users: a}, decline: later}}",
    "conduct: {rules: [{users: a, resign: {enabled: false}, draw: {contempt: {enabled: false}}}]}",
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
    "user_lists: {refresh_s: 1}",
]


def test_the_committed_file_is_the_schema_of_today() -> None:
    committed = (CONFIG / "bot88.schema.json").read_text(encoding="utf-8")
    assert committed == schema_text(), "write it anew: bot88 schema > config/bot88.schema.json"


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(settings_schema())


def test_the_first_line_of_the_configuration_names_it_for_editors() -> None:
    first = (CONFIG / "bot88.yml").read_text(encoding="utf-8").splitlines()[0]
    named = first.removeprefix("# yaml-language-server: $schema=")
    assert named != first
    assert (CONFIG / named).is_file()


@pytest.mark.parametrize("name", ["bot88.yml", "offline.yml"])
def test_the_files_we_ship_fit(name: str) -> None:
    SCHEMA.validate(yaml.safe_load((CONFIG / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("text", FITTING)
def test_what_the_models_accept_the_schema_accepts(text: str) -> None:
    parse_settings(text, "f.yml")
    SCHEMA.validate(yaml.safe_load(text))


@pytest.mark.parametrize("text", UNFIT)
def test_what_the_models_refuse_the_schema_refuses(text: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_settings(text, "f.yml")
    assert not SCHEMA.is_valid(yaml.safe_load(text))
