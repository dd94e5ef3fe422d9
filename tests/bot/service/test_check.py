"""`check`: what is shown, and what `--start-up` finds."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot.errors import ConfigurationError, StartUpError
from bot.fake_lichess import FakeLichess
from bot.service.check import check_start_up, describe
from bot.settings import Settings, TournamentSettings, parse_settings
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake

__all__ = ["fake"]


def settings_for(fake: FakeLichess, behaviour: str = "good", token: str = "") -> Settings:
    lichess = {"url": fake.url, "token": token or fake.token("bot88")}
    return Settings.model_validate({"lichess": lichess, "engines": [tiny_entry(behaviour)]})


def test_paths_and_tokens_are_shown_as_text() -> None:
    shown = describe(parse_settings("lichess: {token: lip_secret}\nstore: /tmp/x.sqlite3", "f.yml"))
    assert "store: /tmp/x.sqlite3" in shown
    assert "lip_secret" not in shown


def test_a_good_start_up(fake: FakeLichess) -> None:
    assert check_start_up(settings_for(fake)) == f"ready to play as bot88 on {fake.url}"


def test_a_bad_engine_and_a_bad_token(fake: FakeLichess) -> None:
    with pytest.raises(StartUpError, match="no engine runs"):
        check_start_up(settings_for(fake, "no-start"))
    with pytest.raises(StartUpError, match="token is not valid"):
        check_start_up(settings_for(fake, token="lip_nobody"))


def test_a_feature_that_the_token_does_not_allow_is_told(fake: FakeLichess) -> None:
    token = fake.add_account("Poor", title="BOT", scopes=("bot:play",))
    settings = settings_for(fake, token=token).model_copy(
        update={"tournaments": TournamentSettings.model_validate({"arenas": [{"id": "AbCd1234"}]})}
    )
    said = check_start_up(settings).splitlines()
    assert said[1:] == ["the token lacks tournament:write: no arena is joined (tournaments.arenas)"]


def test_what_is_shown_is_a_configuration_in_the_order_of_the_documentation() -> None:
    greeting = "Grüße, " + "and good luck " * 6
    text = f"lichess: {{token: lip_secret}}\nconduct: {{chat: {{greeting: '{greeting}'}}}}\nconcurrency: 3"
    shown = describe(parse_settings(text, "f.yml"))
    assert list(yaml.safe_load(shown)) == list(Settings.model_fields)
    assert yaml.safe_load(shown)["concurrency"] == 3
    assert "Grüße" in shown, "as it was written"
    assert max(map(len, shown.splitlines())) > 80
    assert [line for line in shown.splitlines() if "*" in line] == ["  token: '***'"]


def test_variables_that_override_the_file_are_named() -> None:
    shown = describe(Settings(), {"BOT88__CONCURRENCY": "3", "PATH": "/bin"})
    assert shown.splitlines()[0] == "# concurrency is set by BOT88__CONCURRENCY"
    assert "PATH" not in shown


@pytest.mark.parametrize(
    "content", [{"move_sources": {"books": [{"path": "missing.bin"}]}}, {"challenges": {"allow": ["missing.txt"]}}]
)
def test_a_file_that_is_missing_is_said_without_starting_anything(content: dict[str, object], tmp_path: Path) -> None:
    named = str(content).replace("missing", str(tmp_path / "missing"))
    settings = Settings.model_validate(yaml.safe_load(named))
    with pytest.raises(ConfigurationError, match="missing"):
        describe(settings)
