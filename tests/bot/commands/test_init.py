"""The configuration that `bot88 init` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.init import write_configuration
from bot.errors import ConfigurationError
from bot.settings import load_settings
from bot.settings.reference import schema_text


@pytest.mark.parametrize("name", ["bot88.yml", "config/bot88.yml"])
def test_data_stays_below_the_folder_it_was_written_in(name: str, tmp_path: Path) -> None:
    write_configuration(tmp_path / name)
    settings = load_settings(tmp_path / name, {})
    first = (tmp_path / name).read_text(encoding="utf-8").splitlines()[0]
    schema = (tmp_path / name).with_name(first.partition("$schema=")[2])
    assert schema.read_text(encoding="utf-8") == schema_text(), "the file that the first line names for editors"
    assert settings.store is not None
    assert settings.store.resolve() == tmp_path / "data" / "bot88.sqlite3"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"file/bot88\.yml: cannot be written: File exists$"):
        write_configuration(tmp_path / "file" / "bot88.yml")


def test_what_is_there_is_kept_unless_it_may_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "bot88.yml"
    write_configuration(path)
    path.write_text("mine: true\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="exists already; give another path, or --force to overwrite it"):
        write_configuration(path)
    assert path.read_text(encoding="utf-8") == "mine: true\n"
    write_configuration(path, overwrite=True)
    assert load_settings(path, {}).store is not None
