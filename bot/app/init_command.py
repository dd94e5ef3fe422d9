"""`bot88 init`: writes a commented configuration to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from bot.errors import ConfigurationError

_DATA_BESIDE_CONFIG = "../data/"


def write_configuration(path: Path, *, overwrite: bool = False) -> None:
    """Write the commented configuration to `path`; its data folder lies beside a folder `config`, else in its own.

    Raises ConfigurationError where the file exists, unless `overwrite`, or cannot be written.
    """
    text = template()
    if path.resolve().parent.name != "config":
        text = text.replace(_DATA_BESIDE_CONFIG, "data/")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        if isinstance(error, FileExistsError) and path.exists():  # else it is a file in a folder's place
            raise ConfigurationError(
                f"{path}: exists already; give another path, or --force to overwrite it"
            ) from error
        raise ConfigurationError(f"{path}: cannot be written: {error.strerror or error}") from error


def template() -> str:
    """Return the configuration as the package carries it, the same as config/bot88.yml of the repository."""
    return files("bot.app").joinpath("bot88.yml").read_text(encoding="utf-8")
