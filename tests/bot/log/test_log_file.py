"""The log file: renamed, removed, full, rotated by size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.log.log_file import LogFile
from tests.helpers.ending import closed_at_end


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_renamed_or_removed_file_is_opened_anew(tmp_path: Path) -> None:
    path = tmp_path / "bot.log"
    file = closed_at_end(LogFile(path))
    file.write("one\n")
    path.rename(tmp_path / "bot.log-20261122")
    file.write("two\n")
    assert (tmp_path / "bot.log-20261122").read_text() == "one\n"
    assert path.read_text() == "two\n"
    path.unlink()
    file.write("three\n")
    assert path.read_text() == "three\n"


def test_a_file_rotates_by_size(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "bot.log", max_bytes=10, keep=2)
    for line in ("aaaa\n", "bbbb\n", "cccc\n", "dddd\n", "eeee\n", "ffff\n", "a line longer than the limit\n"):
        file.write(line)
    file.close()
    assert names(tmp_path) == ["bot.log", "bot.log.1", "bot.log.2"]
    assert (tmp_path / "bot.log").read_text() == "a line longer than the limit\n"
    assert (tmp_path / "bot.log.1").read_text() == "eeee\nffff\n"
    assert (tmp_path / "bot.log.2").read_text() == "cccc\ndddd\n"


def test_with_none_kept_the_file_starts_anew(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "bot.log", max_bytes=10, keep=0)
    for line in ("aaaa\n", "bbbb\n", "cccc\n"):
        file.write(line)
    file.close()
    assert names(tmp_path) == ["bot.log"]
    assert (tmp_path / "bot.log").read_text() == "cccc\n"


def test_a_line_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk that fills up in the middle of a line."""
    path = tmp_path / "bot.log"
    file = closed_at_end(LogFile(path))
    file.write("whole\n")
    real_write = os.write

    def half(fd: int, data: memoryview) -> int:
        if len(data) < 4:
            raise OSError(28, "No space left on device")
        return real_write(fd, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        file.write("torn in the middle\n")
    monkeypatch.undo()
    assert path.read_text() == "whole\n"
    file.write("next\n")
    assert path.read_text() == "whole\nnext\n"


def test_a_rotation_that_fails_is_said_once_and_loses_no_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "bot.log.1").mkdir()
    (tmp_path / "bot.log.1" / "in the way").touch()
    file = LogFile(tmp_path / "bot.log", max_bytes=10, keep=1)
    for line in ("aaaa\n", "bbbb\n", "cccc\n", "dddd\n"):
        file.write(line)
    file.close()
    assert (tmp_path / "bot.log").read_text() == "aaaa\nbbbb\ncccc\ndddd\n"
    assert len(caplog.records) == 1
    assert "cannot be rotated" in caplog.text


def test_a_long_first_line_leaves_no_empty_file_behind(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "bot.log", max_bytes=10)
    file.write("a line longer than the limit\n")
    file.close()
    assert names(tmp_path) == ["bot.log"]


def test_a_file_put_in_its_place_is_taken_whichever_is_older(tmp_path: Path) -> None:
    path, other, old = (tmp_path / name for name in ("bot.log", "other", "old"))
    other.write_text("")
    file = LogFile(path)
    for line in ("one\n", "two\n", "three\n"):
        file.write(line)
        path.rename(old)
        other.rename(path)
        old.rename(other)
    file.close()
    assert (path.read_text(), other.read_text()) == ("two\n", "one\nthree\n")
