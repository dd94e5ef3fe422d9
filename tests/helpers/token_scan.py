"""Looks for tokens in what the tests have written: output, logs, stores, PGN, records, pictures of crashes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_TOKEN = re.compile(rb"lip_\w{3,}")
#: Where a token belongs: configurations, and files that hold nothing else.
_MAY_HOLD_ONE = ("*.yml", "*.yaml", "*token*")


def tokens_told(folder: Path, texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return each place where a token stands, files below `folder` and named texts, with the token."""
    found = [f"{name}: {token}" for name, text in texts for token in _tokens(text.encode())]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(path.match(form) for form in _MAY_HOLD_ONE):
            found += [f"{path.relative_to(folder)}: {token}" for token in _tokens(path.read_bytes())]
    return found


def _tokens(data: bytes) -> list[str]:
    return sorted({token.decode() for token in _TOKEN.findall(data)})
