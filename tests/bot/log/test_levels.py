"""Levels by module, and lines that only a listener inside the program hears."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from bot.log import Levels, configure_log, flush_log, get_logger


@pytest.fixture(autouse=True)
def _own_levels() -> Iterator[None]:
    """Put the levels of the loggers that are named here back."""
    named = {name: logging.getLogger(name).level for name in ("bot.lichess", "bot.play", "urllib3")}
    yield
    for name, before in named.items():
        logging.getLogger(name).setLevel(before)


class Ear(logging.Handler):
    """Keeps the names of the events it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.heard.append(record.msg["event"] if isinstance(record.msg, dict) else record.getMessage())


def said(levels: Levels) -> tuple[str, list[str]]:
    """What the console shows and what an ear hears of one line at debug, info and warning by three modules."""
    stream, ear = io.StringIO(), Ear()
    configure_log(levels, stream=stream)
    logging.getLogger().addHandler(ear)
    for name in ("bot.lichess.streams", "bot.play.outbox", "bot.account"):
        for level in ("debug", "info", "warning"):
            getattr(get_logger(name), level)(f"{name.split('.')[1]}_{level}")
    logging.getLogger("urllib3.pool").info("urllib3_info")
    flush_log()
    logging.getLogger().removeHandler(ear)
    return stream.getvalue(), ear.heard


def test_one_level_for_all() -> None:
    shown, heard = said(Levels("warning"))
    assert shown.count("_warning") == 3
    assert "_info" not in shown
    assert heard == ["lichess_warning", "play_warning", "account_warning"]


def test_levels_by_module_count_for_what_lies_below() -> None:
    shown, _heard = said(Levels("info", {"bot.lichess": "debug", "bot.play": "error", "urllib3": "info"}))
    for line in ("lichess_debug", "lichess_info", "account_info", "urllib3_info"):
        assert line in shown
    for line in ("account_debug", "play_info", "play_warning"):
        assert line not in shown


def test_listeners_hear_more_than_the_console_shows() -> None:
    shown, heard = said(Levels("warning", {"bot.play": "error"}, heard="info"))
    assert "_info" not in shown
    assert "play_warning" not in shown
    assert [event for event in heard if event.endswith("_info")] == ["lichess_info", "play_info", "account_info"]
    assert not [event for event in heard if event.endswith("_debug")]


def test_a_module_that_shows_debug_does_not_make_others_do_so() -> None:
    shown, heard = said(Levels("warning", {"bot.play": "debug"}))
    assert "play_debug" in shown
    assert "lichess_debug" not in heard
