"""`python -m engine88.training spsa`: in a process of its own, continued after it was ended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine88.training.__main__ import main

TINY = ["--soft", "4", "--hard", "8", "--plies", "2", "--rate", "0.5", "--workers", "0", "--network", "none"]


@pytest.fixture(autouse=True)
def _plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def spsa(path: Path, *more: str) -> int:
    return main(["spsa", str(path), *TINY, "--only", "PROBCUT_", "LMR_BASE", *more])


@pytest.mark.slow
def test_a_run_is_gone_on_with_and_ends_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole, params = tmp_path / "whole.spsa", tmp_path / "params.py"
    names = ("PROBCUT_MARGIN", "PROBCUT_IMPROVING_MARGIN", "PROBCUT_REDUCTION", "PROBCUT_THRESHOLD", "LMR_BASE")
    params.write_text("".join(f"{name} = 1\n" for name in names), encoding="utf-8")
    assert spsa(whole, "--pairs", "3", "--write", str(params)) == 0
    assert len(whole.read_bytes()) == 3
    assert "PROBCUT_MARGIN = 1\n" not in params.read_text(encoding="utf-8")
    assert "name" in capfd.readouterr().err
    done = whole.read_bytes()
    whole.write_bytes(done[:1])
    assert spsa(whole, "--pairs", "3") == 0
    assert whole.read_bytes() == done
    assert "going on after 1 pairs" in capfd.readouterr().err
    assert spsa(whole, "--pairs", "4") == 1
    assert "begun with schedule" in capfd.readouterr().err


def test_what_makes_no_sense_is_said_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "x.spsa")
    assert main(["spsa", out, "--pairs", "0"]) == 1
    assert capfd.readouterr().err == "spsa: --pairs must be 1 or more, not 0\n"


@pytest.mark.slow
def test_the_time_manager_is_tuned_on_a_clock_of_nodes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, params = tmp_path / "clock.spsa", tmp_path / "params.py"
    params.write_text("TIME_SOFT_SHARE = 0.45  # most\nTIME_MOVES_HORIZON = 25\n", encoding="utf-8")
    words = ["spsa", str(out), *TINY, "--only", "TIME_SOFT", "TIME_MOVES_H", "--pairs", "2"]
    assert main([*words, "--clock", "400+40", "--write", str(params)]) == 0
    assert len(out.read_bytes()) == 2
    written = params.read_text(encoding="utf-8")
    assert re.fullmatch(r"TIME_SOFT_SHARE = 0\.\d+  # most\nTIME_MOVES_HORIZON = \d+\n", written)
    capfd.readouterr()
    assert main([*words, "--clock", "9999"]) == 1
    assert "--clock must be nodes, like 500000+5000, not '9999'" in capfd.readouterr().err
    assert main([*words, "--clock", "500+40"]) == 1
    assert "begun with clock 400+40" in capfd.readouterr().err
