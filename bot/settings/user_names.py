"""Lists of users: names, and files and addresses with a name on each line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from bot.settings.base import Text, _listed

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
_WEB = ("http://", "https://")


def is_address(entry: str) -> bool:
    """Whether an entry is the address of a list."""
    return entry.startswith(_WEB)


def is_list(entry: str) -> bool:
    """Whether an entry is an address or a file, and no user's name."""
    return is_address(entry) or "/" in entry or "\\" in entry or "." in entry


def is_user_name(word: str) -> bool:
    """Whether a word may be the name of a user."""
    return _NAME.fullmatch(word.lower()) is not None


def _entry(entry: str, info: ValidationInfo) -> str:
    if is_address(entry):
        host = entry.split("://", 1)[1].split("/")[0]
        if not host:
            raise ValueError(f"{entry!r} names no host")
        if "@" in host:  # logs and reports name the address
            raise ValueError("the address of a list must not carry a user name or password")
        return entry
    if is_list(entry):
        path = Path(entry).expanduser()
        folder = (info.context or {}).get("folder")
        return str(path if path.is_absolute() or folder is None else Path(folder) / path)
    if not is_user_name(entry):
        raise ValueError(f"{entry!r} is no user's name, no file (with a / or a dot in it) and no http(s) address")
    return entry.lower()


#: Names in lower case, absolute paths, addresses.
Users = Annotated[tuple[Annotated[Text, AfterValidator(_entry)], ...], BeforeValidator(_listed)]


def _name(entry: str) -> str:
    if not is_user_name(entry):
        raise ValueError(f"{entry!r} is no user's name; lists of users are for challenges and matchmaking alone")
    return entry.lower()


#: Names in lower case.
UserNames = Annotated[tuple[Annotated[Text, AfterValidator(_name)], ...], BeforeValidator(_listed)]
