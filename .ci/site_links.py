"""A hook of mkdocs: links from docs/ to files outside it become plain text, since the site has no page for them."""

from __future__ import annotations

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page's text without those links."""
    return _OUTSIDE.sub(r"`\1`", markdown)
