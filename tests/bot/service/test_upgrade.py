"""The upgrade asks, refuses what Lichess would refuse, and says what happened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import typer

from bot.errors import StartUpError
from bot.fake_lichess import AccountConfig, FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.lichess.gateway import Gateway
from bot.service.upgrade import upgrade_account
from bot.settings import Settings, parse_settings
from tests.helpers.fake import make_fake

__all__ = ["make_fake"]


@pytest.fixture
def server(make_fake: Callable[..., FakeLichess]) -> FakeLichess:
    accounts = (
        AccountConfig(name="Fresh"),
        AccountConfig(name="Played", games={"blitz": 3}),
        AccountConfig(name="Bot", title="BOT"),
    )
    return make_fake(accounts=accounts)


def settings_of(server: FakeLichess, name: str) -> Settings:
    return parse_settings(f"lichess: {{url: '{server.url}', token: {server.token(name)}}}", "f.yml")


def is_bot(server: FakeLichess, name: str) -> bool:
    return Gateway(server.url, server.token(name)).account().is_bot


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("typer.prompt", lambda *_args, **_kwargs: text)


def test_the_right_name_upgrades(
    server: FakeLichess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, "fresh")
    assert upgrade_account(settings_of(server, "Fresh"), confirmed=False) == 0
    assert "cannot be undone" in capsys.readouterr().out
    assert is_bot(server, "Fresh")


@pytest.mark.parametrize("text", ["", "yes", "y", "fres"])
def test_any_other_answer_changes_nothing(server: FakeLichess, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    answer(monkeypatch, text)
    assert upgrade_account(settings_of(server, "Fresh"), confirmed=False) == 1
    assert not is_bot(server, "Fresh")


def test_confirmed_asks_nothing(server: FakeLichess) -> None:
    assert upgrade_account(settings_of(server, "Fresh"), confirmed=True) == 0
    assert is_bot(server, "Fresh")


def test_a_bot_stays_one(server: FakeLichess, capsys: pytest.CaptureFixture[str]) -> None:
    assert upgrade_account(settings_of(server, "Bot"), confirmed=False) == 0
    assert "already" in capsys.readouterr().out


def test_an_account_with_games_is_refused_before_anything_is_asked(server: FakeLichess) -> None:
    with pytest.raises(StartUpError, match="3 games") as refused:
        upgrade_account(settings_of(server, "Played"), confirmed=False)
    assert refused.value.exit_code == 3


def test_what_the_server_refuses_is_said_with_its_reason(server: FakeLichess) -> None:
    """A game that still runs is not among the games counted, so only the server can refuse."""
    server.start_game("Fresh", "Played")
    with pytest.raises(StartUpError, match="refuses to upgrade Fresh") as refused:
        upgrade_account(settings_of(server, "Fresh"), confirmed=True)
    assert "new account" in refused.value.remedy
    assert "try again" not in str(refused.value)
    assert refused.value.exit_code == 3


def test_an_upgrade_without_an_answer_is_told_apart_from_a_refusal(server: FakeLichess) -> None:
    lost = FaultRule(endpoint="upgrade", fault="lost_answer")
    server.set_faults(FaultPlan(rules=(lost,)))
    with pytest.raises(StartUpError, match="no answer") as failed:
        upgrade_account(settings_of(server, "Fresh"), confirmed=True)
    assert "check --start-up" in failed.value.remedy
    assert failed.value.exit_code == 4


def test_a_wrong_token_and_a_wrong_address_are_told_apart(server: FakeLichess) -> None:
    wrong = parse_settings(f"lichess: {{url: '{server.url}', token: lip_nobody}}", "f.yml")
    with pytest.raises(StartUpError, match="not valid") as refused:
        upgrade_account(wrong, confirmed=True)
    assert refused.value.exit_code == 3
    server.stop()
    with pytest.raises(StartUpError, match="does not answer") as unreachable:
        upgrade_account(wrong, confirmed=True)
    assert unreachable.value.exit_code == 4


def test_who_goes_away_at_the_question_changes_nothing(
    server: FakeLichess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(*_args: object, **_kwargs: object) -> str:
        raise typer.Abort

    monkeypatch.setattr("typer.prompt", gone)
    assert upgrade_account(settings_of(server, "Fresh"), confirmed=False) == 1
    shown = capsys.readouterr()
    assert "Nothing was changed." in shown.err
    assert "is a bot account now" not in shown.out
    assert not is_bot(server, "Fresh")


def test_the_name_may_be_typed_with_spaces_about_it(
    server: FakeLichess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, " FRESH ")
    assert upgrade_account(settings_of(server, "Fresh"), confirmed=False) == 0
    assert capsys.readouterr().out.endswith("Fresh is a bot account now. Start it with `bot88 run`.\n")


def test_without_a_token_nobody_is_asked() -> None:
    with pytest.raises(StartUpError, match="there is no token") as refused:
        upgrade_account(Settings(), confirmed=True)
    assert refused.value.exit_code == 3
    assert "BOT88_TOKEN" in refused.value.remedy
