"""Which bot a file belongs to, files that fit neither, and the defaults of both bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app.check_command import describe
from bot.errors import ConfigurationError
from bot.migration.migrate import migrate
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
    assert describe(settings)
    assert settings.engines[0].argv[0].startswith(str(tmp_path))
    assert settings.token == ""
    assert "xxxx" not in migrated.lower()
    assert notes


def test_an_empty_section_is_enough() -> None:
    assert migrate("engine: {name: a}", "x.yml", Path("/f"))[0].startswith("# From x.yml of lichess-bot.")
    assert migrate("engines: {standard: {name: a}}", "x.yml", Path("/f"))[0].startswith("# From x.yml of BotLi.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("concurrency: 1", "x.yml: has neither `engine:` (lichess-bot) nor `engines:` (BotLi)"),
        ("engine: [", "x.yml:1: this is no YAML"),
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
