"""The latest lines and the latest error of the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.dashboard.log_tail import LINES, LONGEST_VALUE, LogTail
from bot.log import configure_log

NAME = "bot.whoever_is_heard"


@pytest.fixture
def tail() -> Iterator[LogTail]:
    configure_log(secret="lip_secret")
    tail = LogTail("lip_secret", "the password")
    logging.getLogger(NAME).addHandler(tail)  # lines of threads that other tests left go elsewhere
    yield tail
    logging.getLogger(NAME).removeHandler(tail)


def test_a_line_has_its_parts(tail: LogTail) -> None:
    structlog.get_logger(NAME).warning("no_move", game_id="abcdefgh", error="dead", failing_s=1.5)
    (line,) = tail.lines()
    assert (line.level, line.event, line.game_id) == ("warning", "no_move", "abcdefgh")
    assert line.fields == "error=dead failing_s=1.5"
    assert line.at_s > 1_700_000_000


def test_single_moves_leave_room_for_what_the_boards_do_not_show(tail: LogTail) -> None:
    log = structlog.get_logger(NAME)
    log.warning("engine_failed", error="dead")
    for number in range(LINES):
        log.info("move", score="+0.34", san=f"{number}.Nf3")
    assert [line.event for line in tail.lines()] == ["engine_failed"]


def test_the_latest_lines_are_kept_in_order(tail: LogTail) -> None:
    log = structlog.get_logger(NAME)
    for number in range(LINES + 7):
        log.info(f"event_{number}")
    lines = tail.lines()
    assert [line.event for line in lines] == [f"event_{number}" for number in range(7, LINES + 7)]
    assert [line.number for line in lines] == list(range(8, LINES + 8))


def test_secrets_are_hidden_wherever_they_are(tail: LogTail) -> None:
    structlog.get_logger(NAME).error("with lip_secret", error=ValueError("the password"), path={"x": "lip_secret"})
    (line,) = tail.lines()
    text = f"{line.event} {line.fields}"
    assert "lip_secret" not in text
    assert "the password" not in text
    assert text.count("***") == 3


def test_of_another_library_the_name_alone(tail: LogTail) -> None:
    logging.getLogger(f"{NAME}.somebody").error("lip_secret %s", "failed")
    (line,) = tail.lines()
    assert (line.level, line.event, line.fields) == ("error", f"{NAME}.somebody", "see the log")


def test_control_characters_and_long_values_do_no_harm(tail: LogTail) -> None:
    structlog.get_logger(NAME).info("chat", text="\x1b[2J\u202eevil\n" + "x" * 1000)
    (line,) = tail.lines()
    assert line.fields.isprintable()
    assert len(line.fields) < LONGEST_VALUE + 20


def test_of_a_traceback_the_last_line_is_shown(tail: LogTail) -> None:
    try:
        raise ValueError("what went wrong")
    except ValueError:
        structlog.get_logger(NAME).exception("fault")
    (line,) = tail.lines()
    assert line.fields == "exception=ValueError: what went wrong"


def test_it_hears_every_logger_from_install_to_remove(tail: LogTail) -> None:
    logging.getLogger(NAME).removeHandler(tail)
    log = structlog.get_logger("bot.anybody")
    log.info("too_early")
    tail.install()
    log.info("heard")
    tail.remove()
    log.info("too_late")
    events = [line.event for line in tail.lines()]
    assert "heard" in events
    assert not {"too_early", "too_late"} & set(events)


def test_a_value_is_cut_only_where_it_is_too_long(tail: LogTail) -> None:
    structlog.get_logger(NAME).info("chat", whole="x" * LONGEST_VALUE, cut="y" * (LONGEST_VALUE + 1))
    (line,) = tail.lines()
    assert line.fields == f"whole={'x' * LONGEST_VALUE} cut={'y' * LONGEST_VALUE}…"


def test_what_has_a_place_of_its_own_is_told_once(tail: LogTail) -> None:
    structlog.get_logger(NAME).info("move_lost", game_id="abcdefgh", exception="  ", stack="many lines")
    (line,) = tail.lines()
    assert (line.event, line.game_id, line.fields) == ("move_lost", "abcdefgh", "")


def test_the_latest_error_is_kept_without_the_token(tail: LogTail) -> None:
    log = structlog.get_logger(NAME)
    log.warning("no_error")
    assert tail.last_error is None
    log.error("first")
    log.error("second", error="the token lip_secret is wrong")
    assert tail.last_error is not None
    assert (tail.last_error.event, tail.last_error.text) == ("second", "the token *** is wrong")


def test_an_error_of_another_library_is_its_name_only(tail: LogTail) -> None:
    logging.getLogger(f"{NAME}.library").error("lip_secret failed")
    assert tail.last_error is not None
    assert (tail.last_error.event, tail.last_error.text) == (f"{NAME}.library", "see the log")
