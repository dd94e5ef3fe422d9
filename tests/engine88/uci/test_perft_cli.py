"""`python -m engine88 perft` and `warmup`."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine88.uci import perft_cli


def test_it_prints_nodes_and_speed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([100.0, 100.5])
    monkeypatch.setattr(perft_cli, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    assert perft_cli.run_perft(["4"]) == 0
    assert capsys.readouterr().out.splitlines() == ["nodes 197281", "nps 394562"]


def test_depth_zero_counts_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert perft_cli.run_perft(["0", "--divide"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "nodes 1"


def test_divide_counts_what_lies_behind_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert perft_cli.run_perft(["3", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "e2e4: 600" in lines
    assert (lines[-2], len(lines)) == ("nodes 8902", 22)


def test_divide_lists_each_first_move_in_chess960_notation(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    assert perft_cli.run_perft(["2", "--fen", fen, "--chess960", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    counts = dict(line.split(": ") for line in lines[:-2])
    assert "e1a1" in counts
    assert lines[-2] == f"nodes {sum(map(int, counts.values()))}"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-1"], "depth must be 0 or more"),
        (["x"], "invalid int value: 'x'"),
        (["1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "White has no king"),
        ([], "required: depth"),
    ],
)
def test_bad_arguments_are_named(arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        perft_cli.run_perft(arguments)
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err
