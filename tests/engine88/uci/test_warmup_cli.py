"""`warmup`: silent when there is nothing to do; otherwise its progress is seen."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from engine88.uci import warmup_cli


def test_warmup_says_nothing_when_all_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert warmup_cli.run_warmup([]) == 0
    assert capsys.readouterr() == ("", "")


def test_each_kind_of_progress_is_for_its_reader(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The kernels are compiled into the cache, and not loaded: the command ends with them."""
    asked: list[dict[str, bool]] = []

    def warm_up(progress: Callable[[int, int], None], **options: bool) -> None:
        asked.append(options)
        progress(2, 2)

    monkeypatch.setattr(warmup_cli.jit, "warm_up", warm_up)
    assert warmup_cli.run_warmup(["--progress"]) == 0
    assert capsys.readouterr() == ("2 of 2\n", "")
    assert warmup_cli.run_warmup([]) == 0
    assert capsys.readouterr() == ("", "engine88: compiling, only once: 2 of 2 kernels\n")
    assert asked == [{"load": False}] * 2


def test_a_program_that_reads_the_progress_has_each_line_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []

    class Pipe(io.StringIO):
        def flush(self) -> None:
            flushed.append(self.getvalue())

    monkeypatch.setattr(sys, "stdout", Pipe())
    warmup_cli.print_progress(1, 2)
    assert flushed == ["1 of 2\n"]


def test_a_pipe_gets_the_first_and_the_last_line_and_few_between(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warmup_cli, "SAY_EVERY_S", 1000.0)
    show = warmup_cli.progress_shower()
    for done in range(6):
        show(done, 5)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[-1] for line in lines] == ["0 of 5 kernels", "5 of 5 kernels"]


def test_a_terminal_gets_one_line_that_grows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show = warmup_cli.progress_shower()
    for done in range(3):
        show(done, 2)
    shown = capsys.readouterr().err
    assert shown.count("\r") == 3
    assert shown.endswith("2 of 2 kernels\n")


def test_the_native_warm_up_prints_what_came_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warmup_cli, "warm_up_native", lambda _progress: "kernels are there")
    assert warmup_cli.run_warmup(["--native", "--progress"]) == 0
    assert capsys.readouterr().out == "kernels are there\n"
