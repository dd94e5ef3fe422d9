"""Which bot a file belongs to, files that fit neither, and the defaults of both bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.errors import ConfigurationError
from bot.migration.migrate import migrate
from bot.migration.section import NO_EQUIVALENT
from bot.service.check import configuration
from bot.settings import load_settings

PEERS = Path(__file__).resolve().parents[4] / "shared" / "data" / "peers"


@pytest.mark.parametrize("name", ["lichess-bot-config.yml.default", "botli-config.yml.default"])
def test_the_defaults_of_other_bots_pass_the_check(name: str, tmp_path: Path) -> None:
    source = PEERS / name
    if not source.exists():
        pytest.skip(f"{source} is not on this machine")
    migrated, notes = migrate(source.read_text(encoding="utf-8"), name, tmp_path)
    (tmp_path / "ours.yml").write_text(migrated, encoding="utf-8")
    settings = load_settings(tmp_path / "ours.yml", {})
    assert configuration(settings, {})
    assert settings.engines[0].argv[0].startswith(str(tmp_path))
    assert settings.token == ""
    assert "xxxx" not in migrated.lower()
    assert notes


#: Keys that the files show in comments, by the path of their section.
COMMENTED: dict[str, dict[tuple[str, ...], dict[str, Any]]] = {
    "lichess-bot-config.yml.default": {
        ("engine",): {"interpreter": "java", "interpreter_options": ["-jar"], "engine_options": {"cpuct": 3.1}},
        ("engine", "online_moves"): {"max_depth": 10},
        ("engine", "uci_options"): {"go_commands": {"nodes": 1, "depth": 5, "movetime": 1000}},
        ("challenge",): {
            "block_list": ["user1"],
            "online_block_list": ["example.com/blocklist"],
            "allow_list": ["user3"],
            "recent_bot_challenge_age": 60,
            "max_recent_bot_challenges": 2,
            "min_rating": 0,
            "max_rating": 4000,
            "rating_difference": 300,
        },
        (): {"pgn_directory": "game_records", "pgn_file_grouping": "game"},
        ("matchmaking",): {
            "challenge_days": [1, 2],
            "opponent_min_rating": 600,
            "opponent_max_rating": 4000,
            "block_list": ["user1"],
            "online_block_list": ["example.com/blocklist"],
            "challenge_decliner_file_name": "decliners.txt",
            "overrides": {"horde": {"challenge_variant": "horde"}},
        },
    },
    "botli-config.yml.default": {
        ("engines", "standard", "limits"): {"time": 5.0, "depth": 26, "nodes": 4_000_000},
        ("opening_books", "books", "standard"): {"max_depth": 16, "max_moves": 1, "allow_repetitions": False},
        ("online_moves", "opening_explorer"): {"player": "masters", "max_depth": 16, "max_moves": 1},
        ("online_moves", "lichess_cloud"): {"max_depth": 16, "max_moves": 1},
        ("online_moves", "chessdb"): {"max_depth": 16, "max_moves": 1},
        ("offer_draw",): {"min_rating": 2300},
        ("resign",): {"min_rating": 2300},
        ("challenge", "human"): {"min_increment": 0, "max_increment": 180, "max_estimated_game_duration": 15},
        ("challenge", "bot"): {"min_initial": 0, "max_initial": 10_800},
        ("matchmaking", "types", "blitz"): {
            "rated": True,
            "variant": "standard",
            "weight": 100,
            "multiplier": 15,
            "min_rating_diff": 0,
            "max_rating_diff": 300,
            "target_rating_diff": 50,
        },
        (): {"whitelist": ["Username1"], "blacklist": ["Username2"], "online_blacklists": ["https://example.com/x"]},
    },
}


def switched_on(value: Any) -> Any:
    """The same configuration with everything enabled that can be."""
    if isinstance(value, dict):
        return {key: key == "enabled" or switched_on(below) for key, below in value.items()}
    return value


@pytest.mark.parametrize("name", sorted(COMMENTED))
def test_every_key_of_other_bots_is_carried_over_or_explained(name: str, tmp_path: Path) -> None:
    if not (PEERS / name).exists():
        pytest.skip(f"{PEERS / name} is not on this machine")
    keys = switched_on(yaml.safe_load((PEERS / name).read_text(encoding="utf-8")))
    for path, more in COMMENTED[name].items():
        section = keys
        for part in path:
            section[part] = section = section[part] or {}
        section |= more
    _, notes = migrate(yaml.safe_dump(keys), name, tmp_path)
    assert notes
    assert [note for note in notes if note.endswith(NO_EQUIVALENT)] == []


def test_an_empty_section_is_enough() -> None:
    assert migrate("engine: {name: a}", "x.yml", Path("/f"))[0].startswith("# From x.yml of lichess-bot.")
    assert migrate("engines: {standard: {name: a}}", "x.yml", Path("/f"))[0].startswith("# From x.yml of BotLi.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("concurrency: 1", "x.yml: has neither `engine:` (lichess-bot) nor `engines:` (BotLi)"),
        ("engine: [", "x.yml:1: this is not YAML"),
        ("engine: 5", "x.yml:1: engine: must be a section"),
        ("engine: {name: a}\nabort_time: soon", "x.yml:2: abort_time: must be a number; correct it first"),
        ("engine: {name: a, ponder: 1}", "x.yml:1: engine.ponder: must be true or false"),
        ("engine: {name: a}\nchallenge: {concurrency: true}", "x.yml:2: challenge.concurrency: must be a whole number"),
        ("engine: {name: a}\nchallenge: {variants: [[x]]}", "challenge.variants: must be a list of words or numbers"),
        ("engine: {name: a}\nchallenge: {concurrency: 900}", "concurrency: must be less than or equal to 200"),
        ("engine: {name: a}\nchallenge: {modes: [rude]}", "challenges.modes"),
    ],
)
def test_a_file_that_does_not_fit_is_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        migrate(text, "x.yml", Path("/f"))
    assert message in str(refused.value)


def test_keys_come_in_the_order_of_the_chapters_and_not_of_the_alphabet(tmp_path: Path) -> None:
    migrated, _notes = migrate("engine: {name: x}\nchallenge: {concurrency: 2}\n", "config.yml", tmp_path)
    keys = list(yaml.safe_load(migrated))
    assert keys[0] == "store"
    assert keys != sorted(keys)


@pytest.mark.parametrize(("period", "said"), [(30, False), (60, False), (61, True)])
def test_a_check_in_that_is_too_rare_is_said(period: int, said: bool, tmp_path: Path) -> None:
    text = f"engine: {{name: x}}\ncorrespondence: {{checkin_period: {period}}}\n"
    migrated, notes = migrate(text, "config.yml", tmp_path)
    assert yaml.safe_load(migrated)["correspondence"]["check_in_every_s"] == min(period, 60)
    assert any("is at most 60 s" in note for note in notes) is said
