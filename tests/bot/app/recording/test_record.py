"""Reading a record: what is whole is read, what a crash has cut is left out, what is no record is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.app.recording.record import Entry, read_record
from bot.errors import ConfigurationError

START = json.dumps({"t": 1.0, "kind": "start", "format": 1, "game": "abc", "me": "bot88"})
LINE = json.dumps({"t": 2.5, "kind": "line", "text": "x\u2028y"}, ensure_ascii=False)


def written(tmp_path: Path, *lines: str) -> Path:
    """A file of lines."""
    path = tmp_path / "game-abc.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("lines", [(START, LINE, ""), (START, LINE, '{"t": 3.0, "ki'), (START, '{"t": 1', START, LINE)])
def test_lines_that_a_crash_has_cut_are_left_out(lines: tuple[str, ...], tmp_path: Path) -> None:
    record = read_record(written(tmp_path, *lines))
    assert (record.game_id, record.me) == ("abc", "bot88")
    (entry,) = [one for one in record.entries if one.kind == "line"]
    assert (entry.t, entry.text("text"), entry.number("ply")) == (2.5, "x\u2028y", 0)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), "no record of this format"),
        ((LINE,), "no record of this format"),
        ((START.replace("1,", "2,"), LINE), "no record of this format"),
        ((START, "[]", LINE), ":2: no line of a record"),
        ((START, '{"t": 1.0, "kind": "bogus"}', LINE), ":2: no line of a record"),
    ],
)
def test_what_is_no_record_is_named(lines: tuple[str, ...], said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=said) as refused:
        read_record(written(tmp_path, *lines))
    assert "game-abc.jsonl" in str(refused.value)


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_record(tmp_path / "missing.jsonl")


@pytest.mark.parametrize("line", ['{"t": "1", "kind": "open"}', '{"kind": "open"}', "9"])
def test_a_line_without_its_moment_is_none(line: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=":2: no line of a record"):
        read_record(written(tmp_path, START, line, LINE))


def test_fields_of_another_kind_are_nothing() -> None:
    entry = Entry(1.0, "answer", {"status": "200", "text": None, "path": 7, "ply": 3})
    assert (entry.number("status"), entry.number("ply"), entry.number("missing")) == (0, 3, 0)
    assert (entry.text("text"), entry.text("path"), entry.text("missing")) == ("", "7", "")
