"""Compiling, shown: a bar, one line, or nothing; and a failure in words."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bot.errors import StartUpError
from bot.service import warmup
from bot.service.signals import StopSignals
from bot.settings import EngineEntry


def run(script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, terminal: bool = False) -> str:
    """Warm up with a script in the engine's place; gives what was shown."""
    command = tmp_path / "engine.py"
    command.write_text(f"import sys\nassert sys.argv[1:] == ['warmup', '--progress']\n{script}\n", encoding="utf-8")
    argv = (sys.executable, str(command))
    monkeypatch.setattr(warmup, "_OWN_ENGINE", argv)
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=120)
    warmup.warm_up([EngineEntry(command=argv)], console, StopSignals())
    return file.getvalue()


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
    warmup.warm_up([EngineEntry(command=("/nonexistent",))], Console(file=file), StopSignals())
    assert file.getvalue() == ""
