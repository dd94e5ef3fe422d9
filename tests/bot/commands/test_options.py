"""Which configuration a command reads, and that its options show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.options import DEFAULT_CONFIG, load_configuration
from bot.errors import ConfigurationError
from bot.settings import Settings, load_settings


def test_the_file_given_else_the_one_here_else_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_configuration(None) == Settings()
    DEFAULT_CONFIG.parent.mkdir()
    DEFAULT_CONFIG.write_text("concurrency: 5\n", encoding="utf-8")
    Path("other.yml").write_text("concurrency: 6\n", encoding="utf-8")
    assert load_configuration(None).concurrency == 5
    assert load_configuration(Path("other.yml")).concurrency == 6


@pytest.mark.parametrize(
    ("secret", "named"),
    [
        ("lichess: {token_file: no-such-file}", "lichess.token_file"),
        ("dashboard: {password_file: no-such-file}", "dashboard.password_file"),
    ],
)
def test_files_of_secrets_are_read_where_they_are_wanted(secret: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "my.yml"
    path.write_text(secret, encoding="utf-8")
    assert load_configuration(path, with_secrets=False) == load_settings(path, {}, with_secrets=False)
    with pytest.raises(ConfigurationError, match=f"{named}: .*no-such-file cannot be read"):
        load_configuration(path)


def test_the_environment_counts_without_a_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOT88__CONCURRENCY", "8")
    assert load_configuration(None).concurrency == 8
