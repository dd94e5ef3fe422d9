"""`python -m engine88.training spsa`: in a process of its own, gone on with after it was ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88.training.__main__ import main
from engine88.training.spsa_command import dimensions

TINY = ["--soft", "4", "--hard", "8", "--plies", "2", "--rate", "0.5", "--workers", "0", "--network", "none"]


@pytest.fixture(autouse=True)
def _plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def spsa(path: Path, *more: str) -> int:
    return main(["spsa", str(path), *TINY, "--only", "RAZOR_", "LMR_BASE", *more])


def test_a_run_is_gone_on_with_and_ends_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole, params = tmp_path / "whole.spsa", tmp_path / "params.py"
    params.write_text("RAZOR_BASE = 1\nRAZOR_FACTOR = 2\nRAZOR_THRESHOLD = 3\nLMR_BASE = 4\n", encoding="utf-8")
    assert spsa(whole, "--pairs", "3", "--write", str(params)) == 0
    assert len(whole.read_bytes()) == 3
    assert "RAZOR_BASE = 1\n" not in params.read_text(encoding="utf-8")
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


def test_the_numbers_of_the_search_are_chosen_by_their_names() -> None:
    names = [one.name for one in dimensions(())]
    assert "LMR_BASE" in names
    assert not [name for name in names if name.startswith("TIME_")]
    assert "CORRECTION_SHIFT" not in names
    assert {one.name[:6] for one in dimensions(("RAZOR_",))} == {"RAZOR_"}
    with pytest.raises(ValueError, match="no number of the search begins with RAISIN"):
        dimensions(("RAISIN",))
