"""What all pages share. Nothing is loaded from outside."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/base.css">
<link rel="stylesheet" href="/static/{style}.css">
<script src="/static/theme.js"></script>
{script}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Pages"><a class="home" href="/"{here}><img src="/icon.svg" alt="" width="28" height="28">bot88</a>
<a href="/games"{games}>Games</a>
{sign}<button type="button" id="theme" class="quiet" hidden>Theme</button></nav>
{body}
<p id="offline" role="status" hidden>Connection lost; trying again…</p>
</body>
</html>
"""


def document(title: str, body: str, *, script: str = "", style: str, here: str = "", sign: str = "") -> str:
    """Return a whole page; `body` is markup, `script` ("" for none) and `style` are files of `static`.

    `here`: the page's address; `sign`: markup for signing in or out.
    """
    current = {address: ' aria-current="page"' if here == address else "" for address in ("/", "/games")}
    module = f'<script src="/static/{script}.js" type="module"></script>\n' if script else ""
    files = {"script": module, "style": style, "sign": sign}
    return _PAGE.format(title=escape(title), body=body, here=current["/"], games=current["/games"], **files)


def panel(title: str, body: str, kind: str = "") -> str:
    """A card with a heading; `body` is markup."""
    name = f"panel {kind}".strip()
    return f'<section class="{name}" aria-label="{escape(title)}"><h2>{escape(title)}</h2>{body}</section>'


def rows(entries: Iterable[tuple[str, str]], none: str = "") -> str:
    """Terms and what is to say of them, or the words for none."""
    lines = [f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in entries]
    return f"<dl>{''.join(lines)}</dl>" if lines else f'<p class="none">{escape(none)}</p>'
