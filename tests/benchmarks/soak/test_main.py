"""The command: its arguments, its folder, and one small run of the whole thing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.soak.__main__ import arguments, main, options_of, played_before
from benchmarks.soak.report import Report, ReportError

ROOT = Path(__file__).resolve().parents[3]


def test_a_kill_can_be_asked_for_in_any_profile() -> None:
    assert options_of(arguments(["--profile", "calm", "--kill-every", "5"])).profile.kill_every_s == 5.0
    assert options_of(arguments(["--profile", "storm", "--kill-every", "0"])).profile.kill_every_s is None


def test_a_clock_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--clock", "fast"]) == 2
    assert "--clock fast: write seconds and increment" in capsys.readouterr().err


def test_an_empty_folder_cannot_be_added_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--add-up", str(tmp_path)]) == 2
    assert "name the folder given to --out" in capsys.readouterr().err


def test_what_was_played_is_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = options_of(arguments(["--games", "12"]))
    Report(options.shared, 1, "2026-11-22", complete=True, finished=12).write(tmp_path / "part-001.json")
    Report(options.shared, 13, "2026-11-22", finished=3).write(tmp_path / "part-002.json")
    assert played_before(tmp_path, options)[0] == 12
    assert main(["--games", "12", "--out", str(tmp_path)]) == 0
    assert "all 12 games were played before" in capsys.readouterr().out


def test_another_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    shared = options_of(arguments(["--seed", "1"])).shared
    Report(shared, 1, "2026-11-22", complete=True).write(tmp_path / "part-001.json")
    with pytest.raises(ReportError, match="other settings"):
        played_before(tmp_path, options_of(arguments(["--seed", "2"])))


def test_violations_make_the_status_one(tmp_path: Path) -> None:
    violations = [{"invariant": "no_secret", "game_id": "", "text": "the token is in bot.log"}]
    Report({}, 1, "2026-11-22", complete=True, violations=violations).write(tmp_path / "part-001.json")
    assert main(["--add-up", str(tmp_path)]) == 1


@pytest.mark.slow
def test_a_small_run_with_a_kill_holds(tmp_path: Path) -> None:
    words = ["--games", "2", "--concurrency", "2", "--clock", "120+0", "--kill-every", "15", "--seed", "301", "--out"]
    command = [sys.executable, "-m", "benchmarks.soak", *words, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "part-001.json").read_text(encoding="utf-8"))
    assert (report["complete"], report["finished"], report["violations"]) == (True, 2, [])
    assert all(report["checks"][name] > 0 for name in ("kept_once", "moves_fit", "no_secret", "engines_bounded"))
