"""`python -m engine88.training match`: counted, decided, continued."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from engine88.training.__main__ import main
from engine88.training.match.game import GameLimits
from engine88.training.match.standing import read_pairs
from engine88.training.match_command import _limits
from tests.engine88.training.match.engines import command


def match(out: Path, *more: str, first: str = "best") -> int:
    engines = [command(first), command()]
    return main(["match", *engines, "--out", str(out), "--nodes", "1", "--workers", "0", *more])


@pytest.mark.slow
def test_a_match_is_counted_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, cut = tmp_path / "whole.pgn", tmp_path / "cut.pgn"
    assert match(whole, "--games", "6") == 0
    told = capsys.readouterr().err
    assert told.splitlines()[-1].startswith("A - B: 6 games: +")
    record = read_pairs(whole.read_text(encoding="utf-8"))
    assert len(record.pairs) == 3
    assert match(cut, "--games", "4") == 0
    cut.write_text(cut.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    capsys.readouterr()
    assert match(cut, "--games", "6") == 0
    assert "cut.pgn: going on after 2 games" in capsys.readouterr().err
    assert read_pairs(cut.read_text(encoding="utf-8")).pairs == record.pairs


def test_a_verdict_ends_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.pgn"
    assert match(out, "--games", "200", "--sprt", "-500", "-100") == 0
    told = capsys.readouterr().err
    assert "SPRT: -100 Elo accepted" in told
    assert len(read_pairs(out.read_text(encoding="utf-8")).pairs) < 100
    assert match(out, "--games", "200", "--sprt", "-500", "-100") == 0
    assert "SPRT: -100 Elo accepted" in capsys.readouterr().err


def test_an_illegal_move_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert match(tmp_path / "a.pgn", "--games", "2", first="illegal") == 0
    assert "!! pair 1: illegal move a1a1" in capsys.readouterr().err


def test_other_settings_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.pgn"
    assert match(out, "--games", "2") == 0
    assert match(out, "--games", "2", "--seed", "2") == 1
    assert "a.pgn: begun with seed 1, and now it is 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--games", "1"], "--games must be 2 or more"),
        (["--sprt", "5", "0"], "--sprt needs two Elo with the smaller first, not 5 and 0"),
        (["--names", "A", "A"], "--names must be two different ones"),
        (["--option", "Hash"], "an option is given as NAME=VALUE, not 'Hash'"),
        (["--books", "gone.epd"], "gone.epd"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], problem: str
) -> None:
    assert match(tmp_path / "a.pgn", *more) == 1
    told = capsys.readouterr().err
    assert told.startswith("match: ")
    assert problem in told


def test_a_limit_is_read_as_it_is_written() -> None:
    assert _limits(Namespace(tc="8+0.08", nodes=None)) == GameLimits(base_ms=8000, increment_ms=80)
    assert _limits(Namespace(tc=None, nodes=5000)) == GameLimits(nodes=5000)
    with pytest.raises(ValueError, match="--nodes must be 1 or more, not 0"):
        _limits(Namespace(tc=None, nodes=0))


def test_a_clock_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "a", "b", "--out", str(tmp_path / "a.pgn"), "--tc", "8/40"]) == 1
    assert "--tc must be like 8+0.08 (seconds), not '8/40'" in capsys.readouterr().err


def test_an_engine_that_cannot_start_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "/no/such", command(), "--out", str(tmp_path / "a.pgn"), "--nodes", "1", "--workers", "0"]
    assert main(arguments) == 1
    assert (
        capsys.readouterr().err == "match: A: '/no/such' cannot be started "
        "([Errno 2] No such file or directory: '/no/such')\n"
    )
