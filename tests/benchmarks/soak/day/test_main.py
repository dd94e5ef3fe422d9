"""The command: its arguments, its page, and some seconds of a day."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.soak.__main__ import arguments
from benchmarks.soak.day.runner import DayRun, Options
from benchmarks.soak.day.summary import Day, account_of
from benchmarks.soak.evidence import EndedGame


def test_a_folder_with_a_day_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "day.txt").touch()
    with pytest.raises(SystemExit):
        arguments(["--profile", "day", "--out", str(tmp_path)])
    assert "--profile day needs a new folder: --out FOLDER" in capsys.readouterr().err


def test_the_account_of_a_day() -> None:
    lost = EndedGame("game0001", "white", "standard", "mate", "black", ("e2e4",), 1000, 0.0, 1.0)
    day = Day(7, 30.0, "2026-11-23", games=[lost], declined=Counter(variant=2))
    day.violations.append({"invariant": "kept_once", "game_id": "game0001", "text": "0 times kept", "at_s": 1.5})
    page = account_of(day)
    assert "games: 1 (lost 1)" in page
    assert "lost: game0001 by mate" in page
    assert "not accepted: variant 2" in page
    assert "1.5 s kept_once game0001: 0 times kept" in page


@pytest.mark.slow
def test_some_seconds_of_a_day_hold(tmp_path: Path) -> None:
    options = Options(minutes=0.1, seed=5, small=True, pictures=False, operator=False)
    day = DayRun(options, tmp_path / "day", io.StringIO()).run()
    assert day.violations == []
    assert day.exit_status == 0
    assert sum(day.visits.values()) >= 2
    assert day.samples >= 1
    assert "A day of 0.1 minutes, seed 5" in (tmp_path / "day" / "day.txt").read_text(encoding="utf-8")
