"""The latest error, without the token."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.dashboard.last_error import LastError
from bot.log import configure_log


@pytest.fixture
def errors() -> Iterator[LastError]:
    handlers, level = list(logging.getLogger().handlers), logging.getLogger().level
    configure_log(secret="lip_secret", stream=io.StringIO())
    errors = LastError()
    errors.install()
    yield errors
    errors.remove()
    structlog.reset_defaults()
    logging.getLogger().handlers[:] = handlers
    logging.getLogger().setLevel(level)


def test_the_latest_error_is_kept_without_the_token(errors: LastError) -> None:
    log = structlog.get_logger("bot")
    log.warning("no_error")
    assert errors.latest is None
    log.error("first")
    log.error("second", error="the token lip_secret is wrong")
    assert errors.latest is not None
    assert (errors.latest.event, errors.latest.text) == ("second", "the token *** is wrong")


def test_of_another_library_the_name_alone(errors: LastError) -> None:
    logging.getLogger("somebody").error("lip_secret failed")
    assert errors.latest is not None
    assert (errors.latest.event, errors.latest.text) == ("somebody", "see the log")
