"""`python -m engine88.training factorial`: in a process of its own, continued after it was ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88.training.__main__ import main

CHANGES = ["LMR_BASE=700:960", "HISTORY_BONUS_BASE=-60:40"]
TINY = ["--nodes", "4", "--workers", "0", "--network", "none"]


@pytest.fixture(autouse=True)
def _plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def factorial(path: Path, *more: str) -> int:
    return main(["factorial", str(path), *CHANGES, *TINY, *more])


@pytest.mark.slow
def test_a_run_is_gone_on_with_and_made_longer(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.pairs"
    assert factorial(out, "--pairs", "1") == 0
    first = out.read_bytes()
    capfd.readouterr()
    assert factorial(out, "--pairs", "5") == 0
    assert len(out.read_bytes()) == 5
    assert out.read_bytes().startswith(first)
    said = capfd.readouterr().err
    assert "going on after 1 pairs" in said
    assert "10 games, pairs [" in said
    assert "HISTORY_BONUS_BASE                       -60      40" in said
    assert factorial(out, "--pairs", "5", "--seed", "2") == 1
    assert "begun with seed 1" in capfd.readouterr().err


@pytest.mark.slow
def test_all_second_values_meet_all_first_ones(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert factorial(tmp_path / "a.pairs", "--pairs", "1", "--together") == 0
    assert "all together " in capfd.readouterr().err


@pytest.mark.slow
def test_numbers_of_the_time_manager_meet_on_a_clock_of_nodes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a.pairs"
    words = ["factorial", str(out), "TIME_MOVES_HORIZON=20:30", "TIME_STABILITY_FACTOR[0]=1400:1800", *TINY]
    assert main([*words, "--pairs", "4", "--clock", "400+40"]) == 0
    assert len(out.read_bytes()) == 4
    assert "TIME_STABILITY_FACTOR[0]                1400    1800" in capfd.readouterr().err
    assert main([*words, "--pairs", "4", "--clock", "500+40"]) == 1
    assert "begun with clock 400+40" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["LMR_BASE=700"], "cannot read the change 'LMR_BASE=700'; write NAME=FIRST:SECOND with whole numbers"),
        (["RAISIN=1:2"], "RAISIN is not a number that may move here; see param_ranges.py"),
        (["HISTORY_LIMIT=1:2"], "HISTORY_LIMIT is not a number that may move here"),
        (["TIME_SOFT_SHARE=1:2"], "TIME_SOFT_SHARE is not a number that may move here"),
        (["LMR_BASE=1:2", "--clock", "400+40"], "LMR_BASE is not a number that may move here"),
        (["TIME_SOFT_SHARE=1:2", "--clock", "9999"], "--clock must be nodes, like 500000+5000, not '9999'"),
        (["LMR_BASE=1:2", "--nodes", "0"], "--nodes must be 1 or more, not 0"),
        (["LMR_BASE=1:2", "--pairs", "0"], "--pairs must be 1 or more, not 0"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["factorial", str(tmp_path / "x.pairs"), *words]) == 1
    shown = capfd.readouterr().err
    assert shown.startswith(f"factorial: {said}")
    assert shown.count("\n") == 1
