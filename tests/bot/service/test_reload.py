"""What a reload takes over, and what it only names."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.errors import ConfigurationError
from bot.service.reload import RELOADED, ReloadOutcome, changed, merged, needs_restart, read_again
from bot.settings import Settings

RUNNING = Settings.model_validate({"lichess": {"token": "lip_running"}})


def settings(**content: Any) -> Settings:
    """Settings that differ from those that run in this alone."""
    return Settings.model_validate({"lichess": {"token": "lip_running"}} | content)


@pytest.mark.parametrize("name", RELOADED)
def test_a_safe_section_is_taken_over(name: str) -> None:
    contents: dict[str, Any] = {
        "challenges": {"queue": 3},
        "conduct": {"takebacks": 2},
        "clock": {"min_overhead_ms": 77},
        "rules": [{"speeds": "blitz", "level": 1500}],
    }
    wanted = settings(**{name: contents[name]})
    assert changed(RUNNING, wanted) == (name,)
    assert needs_restart(RUNNING, wanted) == ()
    assert merged(RUNNING, wanted) == wanted


@pytest.mark.parametrize(
    ("content", "keys"),
    [
        ({"concurrency": 5}, ("concurrency",)),
        ({"lichess": {"token": "lip_other", "url": "https://lichess.test"}}, ("lichess.url", "lichess.token")),
        ({"log": {"level": "debug"}}, ("log.level",)),
    ],
)
def test_what_is_built_in_is_named_and_stays(content: dict[str, Any], keys: tuple[str, ...]) -> None:
    wanted = settings(**content)
    assert needs_restart(RUNNING, wanted) == keys
    assert changed(RUNNING, wanted) == ()
    assert merged(RUNNING, wanted) == RUNNING


def test_rules_wait_for_a_restart_together_with_the_engines_that_they_name() -> None:
    wanted = settings(engines=[{"name": "other", "command": "other"}], rules=[{"engines": "other"}])
    assert needs_restart(RUNNING, wanted) == ("engines", "rules")
    assert merged(RUNNING, wanted) == RUNNING


def test_nothing_changed_is_nothing_to_say() -> None:
    assert changed(RUNNING, RUNNING) == needs_restart(RUNNING, RUNNING) == ()


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (ReloadOutcome(), "nothing has changed that can be taken over"),
        (ReloadOutcome(("challenges", "clock")), "taken over: challenges, clock"),
        (
            ReloadOutcome((), ("lichess.url",)),
            "nothing has changed that can be taken over; needs a restart: lichess.url",
        ),
        (ReloadOutcome(error="f.yml:1: bad"), "the configuration was not reloaded: f.yml:1: bad"),
    ],
)
def test_the_outcome_in_words(outcome: ReloadOutcome, said: str) -> None:
    assert str(outcome) == said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConfigurationError("f.yml:3: unknown key"), "f.yml:3: unknown key"),
        (RuntimeError("a fault of ours: lip_secret"), "RuntimeError, see the log"),
    ],
)
def test_a_configuration_that_cannot_be_read_changes_nothing_and_ends_nothing(error: Exception, said: str) -> None:
    def broken() -> Settings:
        raise error

    with capture_logs() as lines:
        outcome = read_again(broken)
    assert isinstance(outcome, ReloadOutcome)
    assert outcome == ReloadOutcome(error=said)
    assert [(line["event"], line["log_level"]) for line in lines] == [("configuration_not_reloaded", "error")]


def test_a_configuration_that_can_be_read_is_given_as_it_is() -> None:
    assert read_again(lambda: RUNNING) is RUNNING
