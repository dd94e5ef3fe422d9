"""Which configuration a command reads, and that its options say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.config_option import DEFAULT_CONFIG, load_configuration
from bot.settings import Settings


def test_the_file_given_else_the_one_here_else_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_configuration(None) == Settings()
    DEFAULT_CONFIG.parent.mkdir()
    DEFAULT_CONFIG.write_text("concurrency: 5\n", encoding="utf-8")
    Path("other.yml").write_text("concurrency: 6\n", encoding="utf-8")
    assert load_configuration(None).concurrency == 5
    assert load_configuration(Path("other.yml")).concurrency == 6


def test_the_environment_counts_without_a_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOT88__CONCURRENCY", "8")
    assert load_configuration(None).concurrency == 8
