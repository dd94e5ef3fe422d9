"""What holds for every section of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.errors import ConfigurationError
from bot.settings import Settings, parse_settings


def test_values_never_change_after_loading() -> None:
    settings = parse_settings("{concurrency: 3, challenges: {modes: rated}}", "f.yml")
    with pytest.raises(ValidationError, match="frozen"):
        settings.concurrency = 4
    with pytest.raises(ValidationError, match="frozen"):
        settings.challenges.modes = ("casual",)
    assert (settings.concurrency, settings.challenges.modes) == (3, ("rated",))


@pytest.mark.parametrize("number", [".inf", ".nan"])
def test_a_duration_is_a_finite_number(number: str) -> None:
    with pytest.raises(ConfigurationError, match=r"lichess\.stream_silence_s: .*finite"):
        parse_settings(f"lichess: {{stream_silence_s: {number}}}", "f.yml")


def test_paths_start_from_the_folder_of_the_file_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    text = "{store: data/x, pgn_folder: ~/pgn, log: {file: /var/log/x}}"
    for folder, start in ((Path("/etc/bot"), "/etc/bot/"), (None, "")):
        settings = parse_settings(text, "f.yml", folder=folder)
        paths = (settings.store, settings.pgn_folder, settings.log.file)
        assert [str(path) for path in paths] == [f"{start}data/x", "/home/me/pgn", "/var/log/x"]


@pytest.mark.parametrize("values", ["[blitz, rapid, blitz]", "[rapid, bullet, blitz, blitz]"])
def test_what_appears_twice_is_named(values: str) -> None:
    with pytest.raises(ConfigurationError, match="'blitz' appears twice"):
        parse_settings(f"challenges: {{speeds: {values}}}", "f.yml")


def test_one_entry_stands_for_a_list_and_nothing_else_does() -> None:
    settings = parse_settings("{challenges: {modes: rated}, engines: {name: x}}", "f.yml")
    assert (settings.challenges.modes, settings.engines[0].name) == (("rated",), "x")
    with pytest.raises(ConfigurationError, match=r"challenges\.modes: must be a list"):
        parse_settings("challenges: {modes: 5}", "f.yml")


@pytest.mark.parametrize("wrong", [{"lichess": {"token": ["lip_secret"]}}, {"dashboard": {"password": ["lip_secret"]}}])
def test_an_error_that_is_logged_as_it_is_shows_no_value(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate(wrong)
    assert "lip_secret" not in str(refused.value)
