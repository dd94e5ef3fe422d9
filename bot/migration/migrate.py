"""Convert another bot's configuration file to ours."""

from __future__ import annotations

from pathlib import Path

from bot.errors import ConfigurationError
from bot.migration import botli, lichess_bot
from bot.migration.section import Section
from bot.settings import parse_settings
from bot.settings.document import read_document, to_yaml

STORE = "data/bot88.sqlite3"  # next to our file


def migrate(text: str, name: str, folder: Path, *, with_token: bool = False) -> tuple[str, list[str]]:
    """Return our configuration as YAML, and a line for each key that has no counterpart, with the reason.

    `name` stands for the file in messages, its relative paths start from `folder`. Raises ConfigurationError for a text
    that is neither lichess-bot's nor BotLi's, and for impossible values.
    """
    document = read_document(text, name)
    notes: list[str] = []
    root = Section(document, name, notes)
    if "engines" in root and "engine" not in root:
        kind, convert = "BotLi", botli.convert
    elif "engine" in root:
        kind, convert = "lichess-bot", lichess_bot.convert
    else:
        raise ConfigurationError(
            f"{name}: has neither `engine:` (lichess-bot) nor `engines:` (BotLi); give one of these"
        )
    values = {"store": STORE, **convert(root, folder, with_token=with_token)}
    body = to_yaml(values)
    try:
        parse_settings(body, f"{name}, carried over", folder=folder)
    except ConfigurationError as error:
        raise ConfigurationError(f"{error}\n  -> correct the value in {name}") from error
    return f"# From {Path(name).name} of {kind}. docs/configuration.md explains every key.\n{body}", notes
