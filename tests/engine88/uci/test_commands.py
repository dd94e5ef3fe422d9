"""`python -m engine88 perft` and `warmup`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from engine88.uci import commands


def test_it_prints_nodes_and_speed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([100.0, 100.5])
    monkeypatch.setattr(commands, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    assert commands.run_perft(["4"]) == 0
    assert capsys.readouterr().out.splitlines() == ["nodes 197281", "nps 394562"]


def test_depth_zero_counts_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.run_perft(["0", "--divide"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "nodes 1"


def test_divide_counts_what_lies_behind_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.run_perft(["3", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "e2e4: 600" in lines
    assert (lines[-2], len(lines)) == ("nodes 8902", 22)


def test_divide_lists_each_first_move_in_chess960_notation(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    assert commands.run_perft(["2", "--fen", fen, "--chess960", "--divide"]) == 0
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
        commands.run_perft(arguments)
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err


def test_warmup_says_nothing_when_all_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.run_warmup([]) == 0
    assert capsys.readouterr() == ("", "")


def test_each_kind_of_progress_is_for_its_reader(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The kernels are compiled into the cache, and not loaded: the command ends with them."""
    asked: list[dict[str, bool]] = []

    def warm_up(progress: Callable[[int, int], None], **options: bool) -> None:
        asked.append(options)
        progress(2, 2)

    monkeypatch.setattr(commands, "warm_up", warm_up)
    assert commands.run_warmup(["--progress"]) == 0
    assert capsys.readouterr() == ("2 of 2\n", "")
    assert commands.run_warmup([]) == 0
    assert capsys.readouterr() == ("", "engine88: compiling, only once: 2 of 2 kernels\n")
    assert asked == [{"load": False}] * 2


def test_a_program_that_reads_the_progress_learns_of_shipped_kernels(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "warm_up", lambda _progress, **_options: None)
    monkeypatch.setattr(commands, "kernel_cache", lambda: SimpleNamespace(read_only=True))
    assert commands.run_warmup(["--progress"]) == 0
    assert capsys.readouterr().out == "shipped\n"
    assert commands.run_warmup([]) == 0
    assert capsys.readouterr().out == ""


def test_a_program_that_reads_the_progress_has_each_line_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []

    class Pipe(io.StringIO):
        def flush(self) -> None:
            flushed.append(self.getvalue())

    monkeypatch.setattr(sys, "stdout", Pipe())
    commands.print_progress(1, 2)
    assert flushed == ["1 of 2\n"]


def test_a_pipe_gets_the_first_and_the_last_line_and_few_between(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "SAY_EVERY_S", 1000.0)
    show = commands.progress_shower()
    for done in range(6):
        show(done, 5)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[-1] for line in lines] == ["0 of 5 kernels", "5 of 5 kernels"]


def test_a_terminal_gets_one_line_that_grows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show = commands.progress_shower()
    for done in range(3):
        show(done, 2)
    shown = capsys.readouterr().err
    assert shown.count("\r") == 3
    assert shown.endswith("2 of 2 kernels\n")


def test_the_native_warm_up_prints_what_came_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "warm_up_native", lambda _progress: "kernels are there")
    assert commands.run_warmup(["--native", "--progress"]) == 0
    assert capsys.readouterr().out == "kernels are there\n"
