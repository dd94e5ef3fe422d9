"""The log as configured: levels, formats, secrets, destinations."""

from __future__ import annotations

import io
import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest

from bot.errors import ConfigurationError
from bot.log import Redactor, configure_log, flush_log, get_logger, quiet_console
from bot.log.console import StandardError
from bot.log.setup import escape_controls


class Ear(logging.Handler):
    """Keeps the names of the events it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.heard.append(record.msg["event"] if isinstance(record.msg, dict) else record.getMessage())


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is written to standard error."""
    found = io.StringIO()
    monkeypatch.setattr(StandardError, "write", lambda _self, text: found.write(text))
    return found


@pytest.mark.parametrize(("heard", "expected"), [(None, ["warning"]), ("info", ["info", "warning"])])
def test_listeners_may_hear_more_than_the_console_shows(
    heard: Literal["info"] | None, expected: list[str], stream: io.StringIO
) -> None:
    configure_log("warning", heard=heard)
    ear = Ear()
    logging.getLogger().addHandler(ear)
    for level in ("debug", "info", "warning"):
        getattr(get_logger("bot.lichess.formats"), level)(level)
    logging.getLogger("urllib3.pool").info("urllib3_info")
    flush_log()
    logging.getLogger().removeHandler(ear)
    assert " warning " in stream.getvalue()
    assert "info" not in stream.getvalue()
    assert ear.heard == expected


SECRET = "lip_verysecret"


def test_json_lines_carry_fields(stream: io.StringIO) -> None:
    configure_log("info", "json")
    get_logger("bot.test").bind(game_id="abcdefgh").warning("stream_broken", again_in_s=2)
    flush_log()
    line = json.loads(stream.getvalue())
    assert (line["event"], line["game_id"], line["again_in_s"], line["level"], line["logger"]) == (
        "stream_broken", "abcdefgh", 2, "warning", "bot.test",
    )  # fmt: skip
    assert datetime.fromisoformat(line["timestamp"]).tzinfo == UTC


def test_what_is_told_elsewhere_is_kept_off_the_console_and_never_off_the_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bot.log"
    configure_log("info", "json", file)
    log = get_logger("bot.test")
    undo = quiet_console("move")
    log.info("move", number=1)
    log.warning("move", number=2)
    log.info("other", number=3)
    logging.getLogger("elsewhere").warning("foreign")
    undo()
    log.info("move", number=4)
    flush_log()
    shown = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line.get("number", line["event"]) for line in shown] == [2, 3, "foreign", 4]
    assert len(file.read_text(encoding="utf-8").splitlines()) == 5


def test_values_keep_their_kinds_where_a_secret_is_kept_out(stream: io.StringIO) -> None:
    configure_log("info", "json", secret=SECRET)
    values = {"count": 2, "share": 0.5, "rated": True, "clock": None, "moves": ["e2e4", 7], "of": {"depth": 3}}
    get_logger("bot.test").info("search", **values, pair=(1, SECRET), path=Path("book.bin"))
    flush_log()
    line = json.loads(stream.getvalue())
    assert {name: line[name] for name in values} == values
    assert (line["pair"], line["path"]) == ([1, "***"], "book.bin")


def test_a_word_too_short_for_a_secret_is_no_secret() -> None:
    assert Redactor("", "abc")(None, "", {"event": "abcdefgh"}) == {"event": "abcdefgh"}
    assert Redactor("abcd")(None, "", {"event": "abcdefgh"}) == {"event": "***efgh"}


def test_loggers_of_before_follow_a_new_set_up(stream: io.StringIO) -> None:
    """Modules make theirs at import, and the log is set up once more when the token is known."""
    log = get_logger("bot.test")
    configure_log("warning")
    log.info("unheard")
    log.warning("heard")
    configure_log("info", secret=SECRET)
    log.info("asked", by=SECRET)
    flush_log()
    assert "unheard" not in stream.getvalue()
    assert "asked by=***" in stream.getvalue()


def test_a_traceback_keeps_its_lines_and_nothing_else_has_any() -> None:
    event = {"event": "a\nb", "name": "c\td", "exception": "e\n\tf\x07", "stack": "g\nh", "number": 1}
    assert escape_controls(None, "", event) == {
        "event": "a\\nb", "name": "c\\td", "exception": "e\n\tf\\x07", "stack": "g\nh", "number": 1,
    }  # fmt: skip


@pytest.mark.parametrize("form", ["json", "console"])
def test_the_token_appears_nowhere(form: str, tmp_path: Path, stream: io.StringIO) -> None:
    configure_log("debug", form, tmp_path / "very" / "deep" / "bot.log", secret=SECRET)  # type: ignore[arg-type]  # one of the two words
    log = get_logger("bot.test")
    log.info(f"at {SECRET}", header=f"Bearer {SECRET}", deep={"a": [SECRET]}, error=ValueError(SECRET))
    logging.getLogger("elsewhere").error("foreign %s", SECRET)
    try:
        raise RuntimeError(SECRET)
    except RuntimeError:
        log.exception("failed")
    flush_log()
    written = stream.getvalue() + (tmp_path / "very" / "deep" / "bot.log").read_text(encoding="utf-8")
    assert SECRET not in written
    assert written.count("***") >= 10
    assert "RuntimeError" in written


def test_levels_hold_for_both_kinds_of_loggers(stream: io.StringIO) -> None:
    configure_log("warning", "console")
    get_logger("bot.test").info("unheard")
    logging.getLogger("urllib3").warning("heard")
    logging.getLogger("urllib3").info("unheard")
    flush_log()
    assert "unheard" not in stream.getvalue()
    assert "heard" in stream.getvalue()


def test_a_new_set_up_closes_the_old_file(tmp_path: Path) -> None:
    def is_open(file: Path) -> bool:
        descriptors = Path("/proc/self/fd")
        return any(one.is_symlink() and one.readlink() == file for one in descriptors.iterdir())

    configure_log(file=tmp_path / "old.log")
    assert is_open(tmp_path / "old.log")
    configure_log(file=tmp_path / "new.log")
    assert not is_open(tmp_path / "old.log")
    assert is_open(tmp_path / "new.log")


@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_gets_colours(
    terminal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: io.StringIO
) -> None:
    monkeypatch.setattr("bot.log.setup.is_terminal", lambda: terminal)
    configure_log(file=tmp_path / "bot.log")
    get_logger("bot.test").warning("event", number=1)
    flush_log()
    assert ("\x1b[" in stream.getvalue()) is terminal
    assert "\x1b[" not in (tmp_path / "bot.log").read_text(encoding="utf-8")


def test_a_log_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"log\.file"):
        configure_log(file=tmp_path / "file" / "bot.log")


def test_a_log_on_a_full_disk_is_one_line_on_the_console(stream: io.StringIO) -> None:
    """It was 146 tracebacks."""
    configure_log(file=Path("/dev/full"))
    for number in range(50):
        get_logger("bot.test").info("event", number=number)
        flush_log()
    complaints = [line for line in stream.getvalue().splitlines() if "/dev/full" in line]
    assert len(complaints) == 1
    assert "No space left on device; lines are dropped" in complaints[0]
    assert "Traceback" not in stream.getvalue()
    assert stream.getvalue().count("number=") == 50


def test_nothing_that_is_logged_commands_the_terminal(stream: io.StringIO) -> None:
    configure_log()
    try:
        raise RuntimeError("\x1b[2Jhostile\nsecond")
    except RuntimeError as error:
        get_logger("bot.test").exception("failed\x1b[2J", name="\x1b[3J", texts=["\x1b[4J"], error=error)
    logging.getLogger("elsewhere").error("foreign %s", "\x1b[5J\u202e")
    flush_log()
    written = stream.getvalue()
    assert "\x1b" not in written
    assert "\u202e" not in written
    assert written.count("\\x1b[") == 7  # the traceback shows the source line too
    assert "Traceback" in written
