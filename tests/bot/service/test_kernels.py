"""Kernels are compiled before the first start, and for this machine in the background."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.errors import StartUpError
from bot.service import kernels as warmup
from bot.service.kernels import NativeKernels
from bot.service.signals import StopSignals
from bot.settings import EngineEntry
from tests.helpers.processes import wait_until


def run(script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, terminal: bool = False) -> str:
    """Warm up with a script in the engine's place; gives what was shown."""
    return warmed_up(script, monkeypatch, tmp_path, terminal=terminal)[0]


def warmed_up(
    script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, terminal: bool = False
) -> tuple[str, bool]:
    """Warm up with a script in the engine's place; gives what was shown, and whether shipped kernels are used."""
    command = tmp_path / "engine.py"
    command.write_text(
        f"import sys\nassert sys.argv[1:] == ['warmup', '--search', '--progress']\n{script}\n", encoding="utf-8"
    )
    argv = (sys.executable, str(command))
    monkeypatch.setattr(warmup, "_OWN_ENGINE", argv)
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=120)
    shipped = warmup.warm_up([EngineEntry(command=argv)], console, StopSignals())
    return file.getvalue(), shipped


def test_nothing_to_compile_shows_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert run("", monkeypatch, tmp_path) == ""


def test_a_pipe_gets_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = run("for n in range(5): print(n, 'of 5', flush=True)", monkeypatch, tmp_path)
    assert "only once" in shown
    assert shown.count("\n") == 1


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = run("for n in range(6): print(n, 'of 5', flush=True)", monkeypatch, tmp_path, terminal=True)
    assert "Compiling the engine" in shown
    assert "5/5" in shown


def test_a_failure_names_the_last_word_and_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(StartUpError, match="no space left") as failed:
        run("sys.exit('boom\\nno space left')", monkeypatch, tmp_path)
    assert "ENGINE88_CACHE_DIR" in failed.value.remedy


def test_another_engine_is_not_warmed() -> None:
    file = io.StringIO()
    assert not warmup.warm_up([EngineEntry(command=("/nonexistent",))], Console(file=file), StopSignals())
    assert file.getvalue() == ""


def test_shipped_kernels_are_reported_without_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert warmed_up("print('shipped')", monkeypatch, tmp_path) == ("", True)
    assert warmed_up("", monkeypatch, tmp_path) == ("", False)


def test_a_message_of_the_engine_is_shown_before_the_compilation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reason = "engine88: the kernels in the package are not used: [they] are old; compiling"
    script = f"print({reason!r}, file=sys.stderr, flush=True)\nprint(0, 'of 5')\nprint(5, 'of 5')"
    first, second = run(script, monkeypatch, tmp_path).splitlines()
    assert first == reason
    assert "only once" in second


def kernels(script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> NativeKernels:
    """The background work, with a script in the engine's place that leaves the file `ran`."""
    command = tmp_path / "engine.py"
    begin = f"import sys, time, pathlib\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
    command.write_text(f"{begin}assert sys.argv[1:] == ['warmup', '--native', '--progress']\n{script}\n")
    argv = (sys.executable, str(command))
    monkeypatch.setattr(warmup, "_OWN_ENGINE", argv)
    return NativeKernels([EngineEntry(command=("/nonexistent",), name="x"), EngineEntry(command=argv)])


def is_over(native: NativeKernels) -> bool:
    return native._thread is None or not native._thread.is_alive()


def finished(native: NativeKernels, *, shipped: bool = True) -> list[Any]:
    """Run it to its end; returns what was logged."""
    with capture_logs() as logs:
        native.start(shipped=shipped)
        assert native._thread is None or wait_until(
            lambda: native._thread is not None and not native._thread.is_alive()
        )
        native.stop()
    return logs


def test_each_quarter_and_the_outcome_are_logged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = "for n in range(101): print(n, 'of 100', flush=True)\nprint('10 % faster')"
    logs = finished(kernels(script, monkeypatch, tmp_path))
    counts = [line["kernels"] for line in logs if line["event"] == "native_kernels_compiling"]
    assert counts == ["0 of 100", "25 of 100", "50 of 100", "75 of 100", "100 of 100"]
    assert (logs[-1]["event"], logs[-1]["outcome"]) == ("native_kernels", "10 % faster")


def test_a_failure_costs_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (line,) = finished(kernels("sys.exit('no space left')", monkeypatch, tmp_path))
    assert (line["log_level"], line["error"]) == ("warning", "no space left")


def test_the_end_of_the_bot_ends_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, logs: list[EventDict]) -> None:
    native = kernels("time.sleep(600)", monkeypatch, tmp_path)
    native.start(shipped=True)
    assert wait_until((tmp_path / "ran").exists)
    native.stop()
    native.stop()
    assert wait_until(lambda: is_over(native))
    assert logs == []


def test_nothing_runs_where_no_kernels_were_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert finished(kernels("", monkeypatch, tmp_path), shipped=False) == []
    assert not (tmp_path / "ran").exists()


def test_our_engine_is_compiled_for_games_whose_own_engines_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = tmp_path / "engine.py"
    command.write_text("import sys\nprint(*sys.argv[1:])\n")
    monkeypatch.setattr(warmup, "_OWN_ENGINE", (sys.executable, str(command)))
    (line,) = finished(NativeKernels([EngineEntry(command=("/nonexistent",))]), shipped=False)
    assert line["outcome"] == "warmup --progress"


def test_a_failure_without_words_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (line,) = finished(kernels("print('  ')\nsys.exit(3)", monkeypatch, tmp_path))
    assert (line["event"], line["error"]) == ("native_kernels_not_compiled", "no message")
    assert "shipped kernels" in line["remedy"]


def test_a_program_that_cannot_be_started_costs_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    native = kernels("", monkeypatch, tmp_path)
    native._command[0] = str(tmp_path / "missing")
    (line,) = finished(native)
    assert (line["log_level"], line["event"]) == ("warning", "native_kernels_not_compiled")
    assert "missing" in line["error"]


def test_it_runs_once_however_often_it_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    native = kernels("print(0, 'of', 0)\nprint('nothing to do')", monkeypatch, tmp_path)
    native.start(shipped=True)
    first = native._thread
    assert first is not None
    assert first.daemon, "the end of the program waits for no compiler"
    native.start(shipped=True)
    assert native._thread is first
    native.stop()


def test_stopped_before_it_has_begun_it_ends_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    native = kernels("time.sleep(600)", monkeypatch, tmp_path)
    native.stop()
    assert finished(native) == []
