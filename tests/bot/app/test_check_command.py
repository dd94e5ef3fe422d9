"""`check`: what is shown, and what `--start-up` finds."""

from __future__ import annotations

import pytest

from bot.app.check_command import check_start_up, describe
from bot.errors import StartUpError
from bot.fake_lichess import FakeLichess
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
