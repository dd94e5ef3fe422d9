"""The recorder: a file a game, bounded, without the secret, and a disk that fails costs lines alone."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import chess
import pytest
from structlog.testing import capture_logs

from bot.app.recording import recorder as module
from bot.app.recording.record import read_record
from bot.app.recording.recorder import Recorder
from bot.engine_pool import Answer
from bot.errors import ConfigurationError, EngineError
from tests.helpers.processes import wait_until

SECRET = "lip_secret"


def recorder_in(folder: Path, **limits: int) -> Recorder:
    """A recorder of the account "me"."""
    return Recorder(folder, lambda: "me", SECRET, **limits)


def test_everything_is_kept_in_order_byte_by_byte(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path / "deep")
    recorder.opened("abc")
    recorder.line("abc", b'{"x":"\xff\x00"}')
    recorder.line("other", b"")
    recorder.thought("abc", 4, Answer(chess.Move.from_uci("e2e4"), info_line="info depth 3", engine="tiny"))
    recorder.thought("abc", 6, Answer(None, error=EngineError("gone")))
    recorder.posted("abc", "move/e2e4", "")
    recorder.answered("abc", "move/e2e4", 0, "ConnectionError")
    recorder.ended("abc", "cut")
    recorder.close()
    record = read_record(tmp_path / "deep" / "game-abc.jsonl")
    assert (record.game_id, record.me) == ("abc", "me")
    kinds = [entry.kind for entry in record.entries]
    assert kinds == ["start", "open", "line", "think", "think", "post", "answer", "end"]
    assert record.entries[2].text("text").encode("utf-8", "surrogateescape") == b'{"x":"\xff\x00"}'
    assert [entry.text("error") for entry in record.entries[3:5]] == ["", "gone"]
    assert read_record(tmp_path / "deep" / "game-other.jsonl").entries[1].text("text") == ""


def test_the_secret_is_never_written(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path)
    recorder.line("abc", f"chat: {SECRET}".encode())
    recorder.posted("abc", "chat", f"text={SECRET}")
    recorder.close()
    assert SECRET not in (tmp_path / "game-abc.jsonl").read_text(encoding="utf-8")


def test_a_game_that_goes_on_and_on_is_cut(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path, most_bytes_a_game=1_000)
    for _ in range(100):
        recorder.line("abc", b"x" * 100)
    recorder.line("other", b"y")
    recorder.close()
    assert (tmp_path / "game-abc.jsonl").stat().st_size < 1_300
    assert read_record(tmp_path / "game-abc.jsonl").entries[-1].kind == "cut"
    assert read_record(tmp_path / "game-other.jsonl").entries[-1].kind == "line"


def test_the_oldest_records_make_room_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x" * 5_000)
    for number in range(4):
        path = tmp_path / f"game-old{number}.jsonl"
        path.write_text("x" * 1_000)
        os.utime(path, (number, number))
    recorder = recorder_in(tmp_path, most_bytes_a_game=1_000, most_bytes=3_500)
    recorder.line("new", b"x")
    recorder.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "game-new.jsonl", "game-old2.jsonl", "game-old3.jsonl", "notes.txt",
    ]  # fmt: skip


def test_a_restart_goes_on_in_the_same_file(tmp_path: Path) -> None:
    for torn in (b"", b'{"t": 1.0, "ki'):
        with (tmp_path / "game-abc.jsonl").open("ab") as file:
            file.write(torn)
        recorder = recorder_in(tmp_path)
        recorder.line("abc", b"x")
        recorder.close()
    kinds = [entry.kind for entry in read_record(tmp_path / "game-abc.jsonl").entries]
    assert kinds == ["start", "line", "start", "line"]


def test_what_cannot_be_written_is_said_once_and_goes_on_when_it_can(tmp_path: Path) -> None:
    (tmp_path / "game-abc.jsonl").mkdir()
    recorder = recorder_in(tmp_path)
    with capture_logs() as logged:
        for _ in range(3):
            recorder.line("abc", b"x")
        recorder.line("other", b"x")
        assert wait_until(lambda: [line["event"] for line in logged] == ["record_not_written", "record_lines_lost"])
    recorder.close()
    assert read_record(tmp_path / "game-other.jsonl").entries[-1].kind == "line"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"--record .*: cannot be made"):
        recorder_in(tmp_path / "file" / "below")


def test_records_that_are_too_old_are_removed(tmp_path: Path) -> None:
    old, other = tmp_path / "game-old.jsonl", tmp_path / "mine.jsonl"
    for path in (old, other):
        path.touch()
        os.utime(path, (0, 0))
    recorder = recorder_in(tmp_path, most_days=1)
    recorder.opened("new")
    recorder.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-new.jsonl", "mine.jsonl"]


def test_a_disk_that_is_too_slow_costs_lines_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    monkeypatch.setattr(module, "_CLOSE_S", 0.01)
    gate, begun = threading.Event(), threading.Event()

    def me() -> str:
        begun.set()
        gate.wait(60)
        return "me"

    recorder = Recorder(tmp_path, me)
    recorder.line("abc", b"0")
    assert begun.wait(60)
    with capture_logs() as logged:
        for number in range(1, 6):
            recorder.line("abc", str(number).encode())
        recorder.close()
        assert [line["event"] for line in logged] == ["record_not_complete"]
        gate.set()
        assert wait_until(lambda: [line for line in logged if line["event"] == "record_lines_lost"])
    assert [line["count"] for line in logged if line["event"] == "record_lines_lost"] == [3]
    monkeypatch.setattr(module, "_CLOSE_S", 30.0)
    recorder.close()
    assert not recorder._thread.is_alive()
    kept = [entry.text("text") for entry in read_record(tmp_path / "game-abc.jsonl").entries if entry.kind == "line"]
    assert kept == ["0", "1", "2"]


def test_a_record_that_is_full_is_said_once_and_a_very_long_line_is_cut(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path, most_bytes_a_game=50_000)
    with capture_logs() as logged:
        for _ in range(9):
            recorder.line("abc", b"x" * 30_000)
        recorder.close()
    assert [line["event"] for line in logged] == ["record_full"]
    kinds = [entry.kind for entry in read_record(tmp_path / "game-abc.jsonl").entries]
    assert kinds == ["start", "line", "line", "line", "cut"]
    longest = read_record(tmp_path / "game-abc.jsonl").entries[1].text("text")
    assert len(longest) == module.LONGEST_TEXT


def test_a_name_from_outside_stays_in_the_folder(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path / "new" / "deep")
    recorder.line("../../etc/passwd-and-more", b"x")
    recorder.close()
    assert [path.name for path in (tmp_path / "new" / "deep").iterdir()] == ["game-______etc_passwd.jsonl"]
    assert (tmp_path / "new" / "deep").stat().st_mode & 0o777 == 0o700


def test_a_game_that_runs_keeps_its_record_however_little_room_there_is(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path, most_bytes_a_game=1_000, most_bytes=1_000)
    recorder.line("one", b"x")
    recorder.line("two", b"x")
    recorder.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-one.jsonl", "game-two.jsonl"]
