"""Guided fuzzing where atheris is installed, and its absence reported in one line."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.__main__ import TARGETS
from tests.fuzz.guided import GUIDED, first_inputs, guided, main, program_file
from tests.fuzz.kept import all_kept, reaching

WITHOUT = importlib.util.find_spec("atheris") is None


def test_only_targets_that_there_are_can_be_guided() -> None:
    assert set(GUIDED) <= set(TARGETS)


def test_a_run_begins_with_what_is_kept_and_with_inputs_of_the_target(tmp_path: Path) -> None:
    first_inputs("fen", tmp_path)
    written = {path.read_bytes() for path in tmp_path.iterdir()}
    assert {data for _label, data in all_kept("fen")} < written
    assert any(b"/" in data for data in written)


def test_the_program_runs_the_child_with_the_words_it_is_given(tmp_path: Path) -> None:
    program = program_file(tmp_path, "fen", tmp_path)
    text = program.read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n")
    assert text.rstrip().endswith(f'--program {program} --child "$@"')
    assert program.stat().st_mode & 0o100


def test_without_atheris_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(sys, "argv", ["guided", "fen"])
    assert main() == 2
    assert "pip install atheris" in capsys.readouterr().err


@pytest.mark.skipif(WITHOUT, reason="atheris is not installed; .ci/full installs it")
def test_a_guided_run_keeps_what_reaches_different_code(tmp_path: Path) -> None:
    assert guided("fen", 0.05, tmp_path) == 0
    assert len(reaching("fen", tmp_path)) > 10


@pytest.mark.skipif(WITHOUT, reason="atheris is not installed; .ci/full installs it")
def test_a_program_that_crashes_is_told(tmp_path: Path) -> None:
    program = program_file(tmp_path, "no-such-target", tmp_path)
    assert subprocess.run([program, "-runs=1"], check=False, capture_output=True).returncode != 0
