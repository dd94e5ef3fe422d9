"""The commands about configuration files: what they print and where."""

from __future__ import annotations

import pytest

from bot.settings import schema_text
from tests.bot.test_cli import call


def test_schema_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "schema") == 0
    assert capsys.readouterr().out == schema_text()
