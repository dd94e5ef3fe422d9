"""Names of levels."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import Settings, parse_settings


@pytest.mark.parametrize("name", ["weak", "level_1", "schwach"])
def test_a_word_of_small_letters_is_a_name(name: str) -> None:
    assert parse_settings(f"conduct: {{levels: {{names: {{{name}: 800}}}}}}", "f.yml").conduct.levels.names == {
        name: 800
    }


@pytest.mark.parametrize("name", ["full", "opponent", "Weak", "a b", "1a", "''"])
def test_anything_else_is_none(name: str) -> None:
    with pytest.raises(ConfigurationError, match="is no name for a level"):
        parse_settings(f"conduct: {{levels: {{names: {{good: 900, {name}: 800}}}}}}", "f.yml")


@pytest.mark.parametrize(("elo", "fits"), [(99, False), (100, True), (4000, True), (4001, False)])
def test_a_level_is_within_what_can_be_meant(elo: int, fits: bool) -> None:
    text = f"rules: [{{level: {elo}}}]"
    if fits:
        assert parse_settings(text, "f.yml").rules[0].level == elo
    else:
        with pytest.raises(ConfigurationError, match=r"rules\[1\]\.level"):
            parse_settings(text, "f.yml")


def test_the_usual_names_are_each_configurations_own() -> None:
    assert Settings().conduct.levels.names["easy"] == 1350
