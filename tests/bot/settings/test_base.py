"""What holds for every section of the configuration."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bot.errors import ConfigurationError
from bot.settings import parse_settings


def test_values_never_change_after_loading() -> None:
    settings = parse_settings("concurrency: 3", "f.yml")
    with pytest.raises(ValidationError, match="frozen"):
        settings.concurrency = 4
    assert settings.concurrency == 3


@pytest.mark.parametrize("number", [".inf", ".nan"])
def test_a_duration_is_a_finite_number(number: str) -> None:
    with pytest.raises(ConfigurationError, match=r"lichess\.stream_silence_s: .*finite"):
        parse_settings(f"lichess: {{stream_silence_s: {number}}}", "f.yml")
